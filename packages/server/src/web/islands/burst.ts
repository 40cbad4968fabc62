/** A demonstration of a limit: sends more searches than a key may send, and waits as long as the answers require. */

const burstSize = 12

const button = document.querySelector<HTMLButtonElement>('#burst-button')!
const calls = document.querySelector<HTMLElement>('#calls')!
const verdict = document.querySelector<HTMLElement>('#verdict')!
const key = JSON.parse(document.querySelector('#burst-key')!.textContent) as string
const target = new URL(`${location.pathname.replace(/\/$/, '')}/locations/search`, location.href)
target.search = '?query=hotel&size=1&version=1'

let retryAtMs = 0

button.hidden = false
button.addEventListener('click', async () => {
  button.disabled = true
  calls.replaceChildren()
  try {
    await exceedLimit()
  } catch {
    verdict.textContent = 'The service does not answer.'
  }
  button.disabled = false
})

async function exceedLimit(): Promise<void> {
  retryAtMs = 0
  const statuses = await Promise.all(Array.from({ length: burstSize }, search))
  const refused = statuses.filter(status => status === 429).length
  if (refused === 0) {
    verdict.textContent = 'All searches were served: this key has higher limits.'
    return
  }
  const result = `${refused} of ${burstSize} searches were refused`
  for (let leftMs = retryAtMs - performance.now(); leftMs > 0; leftMs = retryAtMs - performance.now()) {
    verdict.textContent = `${result}. Waiting ${(leftMs / 1000).toFixed(1)} s, as Retry-After says …`
    await new Promise(resolve => setTimeout(resolve, Math.min(100, leftMs)))
  }
  const status = await search()
  verdict.textContent =
    status === 200
      ? `${result}; the search after Retry-After was served.`
      : `${result}; the search after Retry-After was answered with ${status}.`
}

/** Sends a search and shows its status. */
async function search(): Promise<number> {
  const slot = document.createElement('li')
  slot.textContent = '…'
  calls.append(slot)
  const response = await fetch(target, { headers: { 'X-API-Key': key }, cache: 'no-store' })
  slot.textContent = String(response.status)
  slot.className = response.status === 200 ? 'good' : 'bad'
  const retryAfter = response.headers.get('Retry-After')
  if (retryAfter !== null) retryAtMs = Math.max(retryAtMs, performance.now() + Number(retryAfter) * 1000)
  return response.status
}
