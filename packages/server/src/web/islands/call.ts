/** Sends the calls of forms with `data-call` to the partner API, and shows the response as text. */

import { explorerSecret } from './explorer-key.ts'
import { indentJson } from './indent-json.ts'

const keyName = 'periplus-key'
/** Longest body that is shown, in characters. */
const maxShown = 200_000

for (const call of document.querySelectorAll<HTMLElement>('[data-call]')) prepare(call)

function prepare(call: HTMLElement): void {
  const form = call.querySelector('form')!
  const key = form.querySelector<HTMLInputElement>('input[name=key]')
  if (key) keepInTab(key)
  form.noValidate = false
  form.addEventListener('submit', event => {
    event.preventDefault()
    void send(call, form)
  })
}

/** A key that was entered stays in this tab, until it is closed. */
function keepInTab(input: HTMLInputElement): void {
  try {
    input.value ||= sessionStorage.getItem(keyName) ?? ''
    input.addEventListener('change', () => sessionStorage.setItem(keyName, input.value.trim()))
  } catch {
    // The browser stores nothing; the key lasts as long as the page.
  }
}

async function send(call: HTMLElement, form: HTMLFormElement): Promise<void> {
  const result = call.querySelector<HTMLElement>('.call-result')!
  const button = form.querySelector<HTMLButtonElement>('button')!
  const values = new Map<string, string>()
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') values.set(name, value.trim())
  const url = toUrl(call, values)
  const body = values.get('body')
  button.disabled = true
  try {
    const headers = {
      'X-API-Key': await keyOf(call, values),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    }
    const started = performance.now()
    const sent = { method: call.dataset.method!, ...(body !== undefined && { body }) }
    const response = await fetch(url, { ...sent, headers, credentials: 'omit', cache: 'no-store' })
    const isShown = /json|text/.test(response.headers.get('Content-Type') ?? '')
    const text = isShown ? await response.text() : `${(await response.blob()).size} bytes`
    const ms = Math.round(performance.now() - started)
    result.replaceChildren(...renderResult({ response, text, ms, url, sent: body, texts: readTexts(call) }))
  } catch (error) {
    // The errors of fetch are TypeErrors with texts of the browser.
    const isOwn = error instanceof Error && !(error instanceof TypeError)
    const text = isOwn ? error.message : 'The request could not be sent: the service did not answer.'
    result.replaceChildren(element('p', 'error', text))
  } finally {
    button.disabled = false
  }
}

/** Returns the key that was entered, else a secret of the explorer key. */
async function keyOf(call: HTMLElement, values: ReadonlyMap<string, string>): Promise<string> {
  const entered = values.get('key') ?? ''
  const { keyUrl } = call.dataset
  return entered === '' && keyUrl !== undefined ? explorerSecret(keyUrl) : entered
}

/** Returns the address of a call: parameters that are empty are not sent. */
function toUrl(call: HTMLElement, values: ReadonlyMap<string, string>): URL {
  const template = call.dataset.path!
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values.get(name) ?? ''))
  const url = new URL(`${new URL(call.dataset.url!, location.href).href.replace(/\/$/, '')}${path}`)
  for (const [name, value] of values)
    if (name !== 'key' && name !== 'body' && value !== '' && !template.includes(`{${name}}`))
      url.searchParams.set(name, value)
  url.search = url.search.replaceAll('%2C', ',').replaceAll('%3A', ':')
  return url
}

interface Result {
  readonly response: Response
  /** Body of the response. */
  readonly text: string
  readonly ms: number
  readonly url: URL
  /** Body of the request. */
  readonly sent: string | undefined
  readonly texts: Readonly<Record<string, string>>
}

const readTexts = (call: HTMLElement): Readonly<Record<string, string>> =>
  JSON.parse(call.querySelector('.header-texts')!.textContent) as Readonly<Record<string, string>>

function renderResult({ response, text, ms, url, sent, texts }: Result): HTMLElement[] {
  const status = element(
    'span',
    `badge ${response.ok ? 'good' : 'bad'}`,
    `${response.status} ${response.statusText}`.trim(),
  )
  const units = response.headers.get('X-Billed-Units')
  const line = element('p', 'call-status', '')
  line.append(status, ` ${ms} ms${units === null ? '' : ` · ${units} ${units === '1' ? 'unit' : 'units'}`}`)
  return [
    line,
    block(`curl -H "X-API-Key: $PERIPLUS_KEY" \\\n${dataOption(sent)}  "${url.href}"`, 'Request'),
    block(text.length > maxShown ? `${text.slice(0, maxShown)}\n…` : indentJson(text), 'Response'),
    renderHeaders(response.headers, texts),
  ]
}

/** Returns the options of curl for a body. */
const dataOption = (body: string | undefined): string =>
  body === undefined ? '' : `  -H "Content-Type: application/json" \\\n  -d '${body.replaceAll("'", "'\\''")}' \\\n`

/** Headers with an explanation come first; the others belong to HTTP itself. */
function renderHeaders(headers: Headers, texts: Readonly<Record<string, string>>): HTMLElement {
  const details = document.createElement('details')
  details.append(element('summary', '', 'Headers of the response'))
  const list = element('dl', 'header-list', '')
  const sorted = [...headers].sort(([a], [b]) => Number(b in texts) - Number(a in texts))
  for (const [name, value] of sorted) {
    const term = element('dt', '', '')
    term.append(element('code', '', name))
    const description = element('dd', '', '')
    description.append(element('code', '', value))
    if (texts[name] !== undefined) description.append(element('span', 'quiet', ` ${texts[name]}`))
    list.append(term, description)
  }
  details.append(list)
  return details
}

function block(text: string, caption: string): HTMLElement {
  const figure = element('figure', 'code', '')
  const pre = document.createElement('pre')
  pre.tabIndex = 0
  pre.append(element('code', '', text))
  figure.append(element('figcaption', '', caption), pre)
  return figure
}

function element(name: string, className: string, text: string): HTMLElement {
  const made = document.createElement(name)
  if (className !== '') made.className = className
  made.textContent = text
  return made
}
