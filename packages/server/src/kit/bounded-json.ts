/** Levels of a text at most, and its length below which it cannot have enough to do harm. */
const bounds = { levels: 1000, length: 16_384 } as const

/**
 * Parses JSON of a client. Throws SyntaxError for invalid JSON, and for objects and lists within one another at more
 * than 1000 levels: V8 14.6 ends the process at a mistake behind ten thousand open objects.
 */
export function parseBoundedJson(text: string): unknown {
  checkDepth(text)
  return JSON.parse(text)
}

/** Throws SyntaxError for a text with too many levels. */
export function checkDepth(text: string): void {
  if (text.length < bounds.length) return
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === '{' || character === '[') {
      depth++
      if (depth > bounds.levels) throw new SyntaxError(`It has more than ${bounds.levels} levels.`)
    } else if (character === '}' || character === ']') depth--
  }
}

/** Returns the position of the quote that ends a string. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  return text.length
}
