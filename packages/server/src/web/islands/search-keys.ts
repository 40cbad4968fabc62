/** The keys of the page of places. */

/** Adds the keys of the page of places: `/` for the search field, Escape to close, arrows through the results. */
export function addSearchKeys(field: HTMLInputElement, close: () => void): void {
  document.addEventListener('keydown', event => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const { target } = event
    const isTyping = target instanceof HTMLInputElement || target instanceof HTMLSelectElement
    if (event.key === '/' && !isTyping) {
      event.preventDefault()
      field.select()
    } else if (event.key === 'Escape') close()
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveFocus(field, event)
  })
}

/** Moves the focus between the search field and the results. */
function moveFocus(field: HTMLInputElement, event: KeyboardEvent): void {
  const links = [...document.querySelectorAll<HTMLElement>('#results .place h3 a')]
  const at = links.indexOf(event.target as HTMLElement)
  if (at === -1 && event.target !== field) return
  const next = at + (event.key === 'ArrowDown' ? 1 : -1)
  if (next >= links.length || (at === -1 && next < 0)) return
  event.preventDefault()
  ;(next < 0 ? field : links[next]!).focus()
}
