const ends = /(?<=[.!?…])\s+|(?<=[。！？｡])|\s*\n+\s*/u
/** A part without a letter or digit is no sentence. */
const hasWord = /[\p{L}\p{N}]/u
/** Length from which a sentence without an end is cut at a comma, in UTF-16 code units. */
const maxLength = 240

/** Splits a text into sentences, with whitespace collapsed; very long ones are split at semicolons and commas. */
export function sentencesOf(text: string): string[] {
  return text
    .split(ends)
    .map(part => part.replace(/\s+/gu, ' ').trim())
    .filter(part => hasWord.test(part))
    .flatMap(part => (part.length <= maxLength ? [part] : clausesOf(part)))
}

/** Splits a long sentence into groups of clauses of up to `maxLength`. */
function clausesOf(sentence: string): string[] {
  const found: string[] = []
  for (const clause of sentence.split(/(?<=[;,，；、])\s*/u)) {
    const last = found.at(-1)
    if (last !== undefined && last.length + clause.length < maxLength) found[found.length - 1] = `${last} ${clause}`
    else found.push(clause)
  }
  return found
}
