import { knownCategories } from '../../domain/category.ts'
import { tokens } from '../../kit/tokens.ts'
import { beginsCategoryPhrase } from './category-words.ts'

/** Words of official names that say what a sight is, not what it is called, in several languages; folded. */
const describing = new Set(
  (
    'archaeological archeological historic historical medieval old ancient sacred royal imperial prehistoric fortified walled colonial urban ' +
    'architectural strict conservation national natural nature cultural marine regional state provincial wildlife game biosphere protected world heritage ' +
    'site sites ruins remains city town village centre center core area areas zone park parks complex ensemble group landscape landscapes ' +
    'monument monuments reserve sanctuary preserve refuge district quarter archipelago ' +
    'archeologique historique fortifiee medievale ville vieille cite centro historico ciudad sitio arqueologico arqueologica zona parque nacional ' +
    'parc nationaux naturel nationale reserve paysage culturel ensemble monuments ' +
    'parco nazionale naturale citta storico archeologica archeologico ' +
    'nationalpark naturpark altstadt historische nationaal nemzeti narodowy nasjonalpark kansallispuisto'
  ).split(' '),
)
/** Those that are left out at the end of a name even alone; "Central Park" is called so. */
const formal = new Set(
  'complex site sites ruins remains archipelago nationalpark naturpark nasjonalpark kansallispuisto'.split(' '),
)
const articles = new Set('the a an le la les el los las il lo gli i o os as der die das l'.split(' '))
const conjunctions = new Set('and et y e und i'.split(' '))
const kinds = new Set([...knownCategories()].flatMap(id => id.split(/[:_]/)))
const prepositions = new Set('of at in de du des d del della dello di da do dos von van'.split(' '))

/** Minimum length of a core name in letters. */
const minLetters = 4

/**
 * Returns the core names of a sight as tokens: its name without texts in brackets, behind a comma or a dash, without
 * words that describe it, and without the names of its own areas. "Archaeological Site of Troy" is called "Troy". A core
 * that is only the name of such an area belongs to the area.
 */
export function coreNamesOf(name: string, areas: readonly string[]): string[][] {
  const found = new Map<string, string[]>()
  const own = areas.map(tokens)
  const isArea = (words: readonly string[]) => own.some(area => area.join(' ') === words.join(' '))
  const outside = name.replace(/\(.*?\)/gu, ' ')
  for (const part of outside.split(/\s[-–—]\s/u)) {
    const words = withoutArea(coreOf(tokens(part.split(/[,:;]/u, 1)[0]!)), own)
    if (isName(words) && !isArea(words)) found.set(words.join(' '), words)
  }
  found.delete(tokens(name).join(' '))
  return [...found.values()]
}

/** Returns true if words are not only those of a kind: "Botanical Garden". */
const isName = (words: readonly string[]): boolean =>
  words.join('').length >= minLetters &&
  words.some(word => !describing.has(word) && !kinds.has(word) && !beginsCategoryPhrase(word))

/** Returns the words of a name without those that describe it at its start and end. */
function coreOf(words: readonly string[]): readonly string[] {
  let [from, to] = [0, words.length]
  for (let next = openingEnd(words, from); next > from && next < to; next = openingEnd(words, from)) from = next
  let end = to
  while (end > from + 1 && (describing.has(words[end - 1]!) || conjunctions.has(words[end - 1]!))) end--
  if (to - end > 1 || (to - end === 1 && formal.has(words[end]!))) to = end
  return words.slice(from, to)
}

/** Returns the end of an opening such as "Historic Centre of the" or "Parc national", or `from`. */
function openingEnd(words: readonly string[], from: number): number {
  let at = from
  let count = 0
  for (; at < words.length; at++) {
    if (describing.has(words[at]!)) count++
    else if (!articles.has(words[at]!) && !(count > 0 && conjunctions.has(words[at]!))) break
  }
  // An article alone: "The Great Wall".
  if (count === 0) return at
  const isJoined = prepositions.has(words[at] ?? '')
  if (!isJoined && count < 2) return from
  while (prepositions.has(words[at] ?? '') || articles.has(words[at] ?? '')) at++
  return at
}

/** Returns words without the name of an area at their end. */
function withoutArea(words: readonly string[], areas: readonly (readonly string[])[]): string[] {
  const area = areas.find(
    one => one.length > 0 && one.length < words.length && words.slice(-one.length).join(' ') === one.join(' '),
  )
  return words.slice(0, words.length - (area?.length ?? 0))
}
