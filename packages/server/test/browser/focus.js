/** Script for pages under test. `lookAtFocus(target)` describes the element with the focus, in relation to another one. */
globalThis.lookAtFocus = target => {
  const { activeElement: now, body } = document
  const isTargetInMain = document.querySelector('main').contains(target)
  if (now === null || now === body) return { at: 'nowhere', isTargetInMain }
  const { outlineStyle, outlineWidth } = getComputedStyle(now)
  const { top, bottom } = now.getBoundingClientRect()
  const last = globalThis.lastFocus
  globalThis.lastFocus = now
  const isSkipLink = now.matches('a.skip')
  const isBack = last?.isConnected && now.compareDocumentPosition(last) & Node.DOCUMENT_POSITION_FOLLOWING
  const isInGroup = now.type === 'radio' && now.name === target.name && now.form === target.form
  const problems = [
    [outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 1, 'has an invisible focus'],
    [bottom <= 0 || top >= innerHeight, 'has the focus outside of the window'],
    [isBack && !isSkipLink, 'has the focus after a later element'],
  ].filter(([isWrong]) => isWrong)
  return {
    at: now === target ? 'target' : isInGroup ? 'group of the target' : isSkipLink ? 'skip link' : 'elsewhere',
    isTargetInMain,
    problem: problems.length > 0 ? `${now.outerHTML.slice(0, 120)} ${problems[0][1]}` : undefined,
  }
}
