/** Replacement of parts of a page without losing the focus or the announcements of screen readers. */

/** Moves the focus to the link with the same text as the one that was replaced, otherwise to the first link. */
function restoreFocus(within: Element, text: string | null): void {
  const links = [...within.querySelectorAll('a')]
  const same = links.find(link => link.textContent === text) ?? links[0]
  same?.focus({ preventScroll: true })
}

/** Replaces the content of an element; a live region keeps its element, so that screen readers say its new text. */
export function swapContent(old: Element, fresh: Element): void {
  const status = old.querySelector('[role=status]')
  const freshStatus = fresh.querySelector('[role=status]')
  const text = freshStatus?.textContent ?? ''
  if (status && freshStatus) freshStatus.replaceWith(status)
  const focused = old.contains(document.activeElement) ? document.activeElement!.textContent : undefined
  old.replaceChildren(...fresh.childNodes)
  if (focused !== undefined) restoreFocus(old, focused)
  if (status) status.textContent = text
}
