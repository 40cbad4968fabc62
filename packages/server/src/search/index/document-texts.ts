import { tokens } from '../../kit/tokens.ts'
import { coreNamesOf } from '../text/core-names.ts'
import { spellingsOf } from '../text/spellings.ts'
import type { SearchDocument } from './document.ts'
import { textKind } from './texts.ts'

/** Maximum number of indexed names per location. */
const maxNames = 4000
/** Notability from which a place is also known by its core names. */
const minNotability = 0.3

/** A text of a document with its words. */
export interface DocumentText {
  readonly kind: number
  /** Index in the document's list of names; 0 for other kinds. */
  readonly name: number
  readonly words: readonly string[]
}

/**
 * Returns the names (primary name first), codes and addresses of a document, and then the other spellings and the core
 * names; repeated texts are returned once.
 */
export function textsOf(document: SearchDocument): DocumentText[] {
  const { names, primaryName, codes, addresses } = document
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
    if (kind === textKind.name) for (const words of variantsOf(document, name)) addWords(textKind.variant, name, words)
  return texts
}

/** Returns the variants of a name of a document: its other spellings, and its core names. */
function variantsOf({ names, notability = 0, category, surroundings }: SearchDocument, name: number): string[][] {
  const spellings = spellingsOf(names[name]!)
  if (notability < minNotability || category === 'GEO' || category === 'TRANSPORT') return spellings
  return [...spellings, ...coreNamesOf(names[name]!, surroundings)]
}
