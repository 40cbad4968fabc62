/** Secrets of the explorer key. Each tab keeps its own until it ends. */

interface ExplorerKey {
  readonly secret: string
  readonly expires_at: string
}

/** Time before the end of a secret at which another one is requested, in milliseconds. */
const marginMs = 60_000

let held: ExplorerKey | undefined

/**
 * Returns a secret of the explorer key; `url` makes another one. Throws an Error with a sentence if it cannot be made.
 */
export async function explorerSecret(url: string): Promise<string> {
  const name = `periplus-explorer ${url}`
  held ??= read(name)
  if (!held || Date.parse(held.expires_at) - marginMs < Date.now()) {
    const response = await fetch(url, { method: 'POST' })
    if (response.status === 429)
      throw new Error(`Too many requests. Wait ${response.headers.get('Retry-After')} s, then try again.`)
    const isJson = response.headers.get('Content-Type')?.startsWith('application/json')
    if (!response.ok || !isJson)
      throw new Error('There is no explorer key for this tab. Sign in again, or enter a key of your own.')
    held = (await response.json()) as ExplorerKey
    write(name, held)
  }
  return held.secret
}

function read(name: string): ExplorerKey | undefined {
  try {
    const text = sessionStorage.getItem(name)
    return text === null ? undefined : (JSON.parse(text) as ExplorerKey)
  } catch {
    return undefined
  }
}

function write(name: string, key: ExplorerKey): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(key))
  } catch {
    // The browser stores nothing; the secret lasts as long as the page.
  }
}
