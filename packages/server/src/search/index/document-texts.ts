import { tokens } from '../../kit/tokens.ts'
import { spellingsOf } from '../text/spellings.ts'
import type { SearchDocument } from './document.ts'
import { textKind } from './texts.ts'

/** Maximum number of indexed names per location. */
const maxNames = 4000

/** A text of a document with its words. */
export interface DocumentText {
  readonly kind: number
  /** Index in the document's list of names; 0 for other kinds. */
  readonly name: number
  readonly words: readonly string[]
}

/**
 * Returns the names (primary name first), codes and addresses of a document, and then the other spellings of names;
 * repeated texts are returned once.
 */
export function textsOf({ names, primaryName, codes, addresses }: SearchDocument): DocumentText[] {
  const texts: DocumentText[] = []
  const seen = new Set<string>()
  const addWords = (kind: number, name: number, words: readonly string[]) => {
    // A spelling that is also a name is that name.
    const key = `${kind === textKind.variant ? textKind.name : kind}${words.join(' ')}`
    if (words.length === 0 || seen.has(key)) return
    seen.add(key)
    texts.push({ kind, name, words })
  }
  const add = (kind: number, name: number, text: string) => addWords(kind, name, tokens(text))
  if (names[primaryName] !== undefined) add(textKind.name, primaryName, names[primaryName])
  for (let i = 0; i < names.length && i < maxNames; i++) if (i !== primaryName) add(textKind.name, i, names[i]!)
  for (const code of codes) add(textKind.code, 0, code)
  for (const address of addresses) add(textKind.address, 0, address)
  for (const { name, kind } of texts.slice())
    if (kind === textKind.name) for (const words of spellingsOf(names[name]!)) addWords(textKind.variant, name, words)
  return texts
}
