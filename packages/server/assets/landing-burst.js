/** The section of the landing page that exceeds a limit and waits for it. */

import { byId, call, make, root, site } from './landing-common.js'
import { showLimits } from './landing-limits.js'

const burstSize = 12

const [burstButton, calls, verdict, burstLimits] = ['burst-button', 'calls', 'verdict', 'burst-limits'].map(byId)

burstButton.addEventListener('click', async () => {
  burstButton.disabled = true
  try {
    await exceedLimit()
  } catch {
    verdict.textContent = 'The service is not responding.'
  }
  burstButton.disabled = false
})

/** Sends a burst of searches, waits as Retry-After requires, and sends one more. */
async function exceedLimit() {
  calls.replaceChildren()
  verdict.textContent = ''
  let retryAtMs = 0
  const search = async () => {
    const slot = make('li', {}, '…')
    calls.append(slot)
    const target = new URL('locations/search?query=hotel&size=1&version=1', root)
    const { status, headers } = await call(target, site.discoverKey)
    slot.textContent = String(status)
    slot.className = status === 200 ? 'served' : 'refused'
    showLimits(burstLimits, headers)
    const retryAfter = headers.get('Retry-After')
    if (retryAfter !== null) retryAtMs = Math.max(retryAtMs, performance.now() + Number(retryAfter) * 1000)
    return status
  }
  const statuses = await Promise.all(Array.from({ length: burstSize }, search))
  const refused = statuses.filter(status => status === 429).length
  if (refused === 0) {
    verdict.textContent = 'All searches were served: this key has higher limits.'
    return
  }
  for (;;) {
    const leftMs = retryAtMs - performance.now()
    if (leftMs <= 0) break
    verdict.textContent = `${refused} of ${burstSize} searches were refused. Retrying in ${(leftMs / 1000).toFixed(1)} s, as Retry-After requires …`
    await new Promise(resolve => setTimeout(resolve, Math.min(100, leftMs)))
  }
  const status = await search()
  verdict.textContent =
    status === 200
      ? `${refused} of ${burstSize} searches were refused; the search after Retry-After was served.`
      : `${refused} of ${burstSize} searches were refused; the search after Retry-After returned ${status}.`
}
