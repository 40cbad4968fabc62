/** The sheet of the chosen place on phones: half or full height, by its button or by dragging its bar. */

/** Distance from which a press is a drag, in pixels. */
const minDragPx = 6
/** Share of the window above which a released sheet becomes tall. */
const tallFrom = 0.7
const animationMs = 180

const isWide = matchMedia('(min-width: 60rem)')
const isStill = matchMedia('(prefers-reduced-motion: reduce)')

/** Lets the reader resize the sheet, and close it by dragging it down. */
export function addSheet(close: () => void): void {
  document.addEventListener('click', event => {
    const sheet = (event.target as Element).closest('#sheet-size')?.closest<HTMLElement>('.sheet')
    if (sheet) resize(sheet, !sheet.classList.contains('tall'))
  })
  document.addEventListener('pointerdown', event => {
    const bar = (event.target as Element).closest<HTMLElement>('.sheet-bar')
    if (bar && event.isPrimary && event.button === 0 && !isWide.matches) startDrag(bar, event, close)
  })
}

/** Gives the sheet its full height, or half of it. */
function resize(sheet: HTMLElement, isTall: boolean): void {
  const before = sheet.offsetHeight
  sheet.style.height = ''
  sheet.classList.remove('dragged')
  sheet.classList.toggle('tall', isTall)
  const button = sheet.querySelector('#sheet-size')!
  button.setAttribute('aria-expanded', String(isTall))
  button.querySelector('span')!.textContent = isTall ? 'Half height' : 'Full height'
  const frames = [before, sheet.offsetHeight].map(height => ({ height: `${height}px`, maxHeight: `${height}px` }))
  if (!isStill.matches) sheet.animate(frames, { duration: animationMs, easing: 'ease-out' })
}

function startDrag(bar: HTMLElement, { pointerId, clientY: fromY }: PointerEvent, close: () => void): void {
  const sheet = bar.closest<HTMLElement>('.sheet')!
  const height = sheet.offsetHeight
  const wasTall = sheet.classList.contains('tall')
  const half = wasTall ? innerHeight / 2 : height
  const ending = new AbortController()
  const { signal } = ending
  let isDragged = false
  const move = ({ clientY }: PointerEvent) => {
    const byPx = fromY - clientY
    if (!isDragged && Math.abs(byPx) < minDragPx) return
    if (!isDragged) bar.setPointerCapture(pointerId)
    isDragged = true
    sheet.classList.add('dragged')
    sheet.style.height = `${Math.max(0, height + byPx)}px`
  }
  const end = ({ type }: PointerEvent) => {
    ending.abort()
    if (!isDragged) return
    // The press of a button on which the drag began does not count.
    addEventListener('click', stop, { capture: true, once: true })
    setTimeout(() => removeEventListener('click', stop, { capture: true }))
    const now = sheet.offsetHeight
    if (type === 'pointerup' && now < half / 2) close()
    else resize(sheet, type === 'pointerup' ? now > innerHeight * tallFrom : wasTall)
  }
  // The browser would drag a link or a selected text instead.
  document.addEventListener('dragstart', event => event.preventDefault(), { signal })
  // The pointer leaves the bar before the sheet follows.
  document.addEventListener('pointermove', move, { signal })
  for (const name of ['pointerup', 'pointercancel'] as const) document.addEventListener(name, end, { signal })
}

function stop(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}
