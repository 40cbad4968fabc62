/** Signs in, proves a session and adds a passkey with the browser's authenticator (WebAuthn). */

/** Answer of the service to a step of a passkey. */
interface Answer {
  readonly ticket?: string
  readonly options?: PublicKeyCredentialRequestOptionsJSON & PublicKeyCredentialCreationOptionsJSON
  readonly location?: string
  readonly message?: string
}

const steps = {
  'sign-in': { options: 'sign-in/passkey/options', finish: 'sign-in/passkey' },
  prove: { options: 'sign-in/passkey/options', finish: 'prove/passkey' },
  add: { options: 'profile/passkeys/options', finish: 'profile/passkeys' },
} as const

for (const part of document.querySelectorAll<HTMLElement>('[data-passkey]')) {
  const { host = '' } = part.dataset
  const isOffered = typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential
  const isAtHost = location.hostname === host || location.hostname.endsWith(`.${host}`)
  if (!isOffered) continue
  if (!isAtHost) {
    if (part.dataset.passkey === 'add') explainHost(part)
    continue
  }
  part.hidden = false
  const button = part.querySelector<HTMLButtonElement>('button')!
  const submit = (event: Event) => {
    event.preventDefault()
    void run(part, button)
  }
  const form = part.querySelector('form')
  if (form) form.addEventListener('submit', submit)
  else button.addEventListener('click', submit)
}

/** Names the address at which browsers permit passkeys, in place of the button. */
function explainHost(part: HTMLElement): void {
  const { origin = '' } = part.dataset
  const link = document.createElement('a')
  link.href = new URL(location.pathname, origin).href
  link.textContent = origin
  const text = document.createElement('p')
  text.append('To add a passkey, open this page at ', link, ': browsers do not make passkeys for the present address.')
  part.replaceChildren(text)
  part.hidden = false
}

async function run(part: HTMLElement, button: HTMLButtonElement): Promise<void> {
  const error = part.querySelector<HTMLElement>('[role=alert]')!
  error.textContent = ''
  button.disabled = true
  try {
    const message = await complete(part)
    if (message !== undefined) error.textContent = message
  } catch {
    error.textContent = 'The browser did not give a passkey. Try again.'
  } finally {
    button.disabled = false
  }
}

/** Goes through the steps and opens the next page; returns a message if the service refuses. */
async function complete(part: HTMLElement): Promise<string | undefined> {
  const { portal = '', to, passkey = '' } = part.dataset
  const kind = passkey as keyof typeof steps
  const name = part.querySelector<HTMLInputElement>('input[name=name]')?.value
  const begun = await post(`${portal}/${steps[kind].options}`, {})
  if (!begun.options) return begun.message ?? 'The request failed.'
  const credential = await ask(kind, begun.options)
  const body = { ticket: begun.ticket, response: credential, name, to }
  const ended = await post(`${portal}/${steps[kind].finish}`, body)
  if (ended.location === undefined) return ended.message ?? 'The request failed.'
  location.assign(ended.location)
  return undefined
}

async function ask(kind: keyof typeof steps, options: NonNullable<Answer['options']>): Promise<unknown> {
  const credential =
    kind === 'add'
      ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
      : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
  return (credential as PublicKeyCredential).toJSON()
}

async function post(path: string, body: object): Promise<Answer> {
  const reply = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await reply.json()) as Answer
}
