/**
 * Indents a JSON text without parsing it, so that 64-bit integers keep all digits. A text that is not JSON is returned
 * with at most changed white space.
 */
export function indentJson(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|[[{]\s*[\]}]|[[\]{},:]|\s+/g, token => {
    if (/^\s/.test(token)) return ''
    if (token === '{' || token === '[') {
      depth++
      return token + line()
    }
    if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1)
      return line() + token
    }
    if (token === ',') return token + line()
    return token === ':' ? ': ' : token
  })
}
