/** Tokens of JSON that lines depend on: texts, empty objects and lists, and marks. */
const token = /"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],:]/g

/**
 * Returns JSON with each member on a line, indented by two spaces. Values are copied, not parsed, so that numbers keep
 * all their digits. The text must be valid JSON without white space between its tokens, as JSON.stringify writes it.
 */
export function indentJson(json: string): string {
  let depth = 0
  const newLine = () => `\n${'  '.repeat(depth)}`
  return json.replace(token, found => {
    if (found === ':') return ': '
    if (found === ',') return `,${newLine()}`
    if (found === '{' || found === '[') {
      depth++
      return found + newLine()
    }
    if (found === '}' || found === ']') {
      depth--
      return newLine() + found
    }
    return found
  })
}

/** Returns a body of JSON with each member on a line, and a line end, in Latin-1, so that nothing is decoded. */
export const indentBody = (json: Buffer): Buffer => Buffer.from(`${indentJson(json.toString('latin1'))}\n`, 'latin1')
