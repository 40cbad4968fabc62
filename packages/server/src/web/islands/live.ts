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
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html')
    failures = 0
    if (isFinished(fresh)) location.reload()
    else replaceParts(fresh)
  } catch {
    failures++
  }
}

/**
 * Returns true if the page no longer has this script: what it waited for has happened, and it has parts that cannot be
 * replaced, such as a map. False while the reader fills in a form.
 */
function isFinished(fresh: Document): boolean {
  const { pathname } = new URL(import.meta.url)
  const isUsed = document.activeElement?.matches('input, select, textarea') ?? false
  return !isUsed && !fresh.querySelector(`script[src="${pathname}"]`)
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
