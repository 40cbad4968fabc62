/** Shows the figures of a bar next to the pointer. Without it, browsers show them as the title of the bar. */

const tip = document.createElement('div')
tip.className = 'chart-tip'
tip.hidden = true
tip.setAttribute('aria-hidden', 'true')
document.body.append(tip)

/** Distance from the pointer to the text, in pixels. */
const gap = 14

document.addEventListener('pointermove', event => {
  const place = event.target instanceof Element ? event.target.closest('.chart-place') : null
  tip.hidden = place === null
  if (place) show(place, event)
})
document.addEventListener('pointerleave', () => {
  tip.hidden = true
})

function show(place: Element, { clientX, clientY }: PointerEvent): void {
  const title = place.querySelector('title')
  // The text moves to an attribute, so that the browser does not show it as well.
  if (title) {
    place.setAttribute('data-text', title.textContent)
    title.remove()
  }
  tip.textContent = place.getAttribute('data-text')
  const { width, height } = tip.getBoundingClientRect()
  const left = clientX + gap + width > innerWidth ? clientX - gap - width : clientX + gap
  const top = Math.min(clientY + gap, innerHeight - height - gap)
  tip.style.transform = `translate(${Math.max(0, left)}px, ${Math.max(0, top)}px)`
}
