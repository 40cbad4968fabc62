/**
 * Keeps the parts of a page up to date that have the attribute `data-live` with a name. The page is fetched again every
 * 5 s while it is visible, and the parts that changed are replaced, unless the reader uses a control in them.
 */

const intervalMs = 5000
/** Failures in a row after which the page is left as it is. */
const maxFailures = 5

let failures = 0

setInterval(() => {
  if (document.visibilityState === 'visible' && failures < maxFailures) void refresh()
}, intervalMs)
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void refresh()
})

async function refresh(): Promise<void> {
  try {
    const response = await fetch(location.href, { redirect: 'error' })
    if (!response.ok) throw new Error(`The page was answered with ${response.status}.`)
    replaceParts(new DOMParser().parseFromString(await response.text(), 'text/html'))
    failures = 0
  } catch {
    failures++
  }
}

function replaceParts(fresh: Document): void {
  for (const part of document.querySelectorAll<HTMLElement>('[data-live]')) {
    const other = fresh.querySelector(`[data-live="${CSS.escape(part.dataset.live!)}"]`)
    const isUsed = part.contains(document.activeElement) && document.activeElement !== part
    if (!other || isUsed) continue
    for (const [i, details] of part.querySelectorAll('details').entries()) {
      const same = other.querySelectorAll('details')[i]
      if (same) same.open = details.open
    }
    if (other.innerHTML !== part.innerHTML) part.replaceChildren(...other.childNodes)
  }
}
