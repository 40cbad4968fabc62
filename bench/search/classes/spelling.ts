import { type Known, plain, shareName } from './known.ts'
import { byRank, type Found, type Maker, type Makers, type Pick, pickFrom, type Random, type Trial } from './trial.ts'
import type { World } from './world.ts'

/** Words with the forms that people shorten them to; each is also read in the other direction. */
const abbreviations: readonly (readonly [word: string, short: string])[] = [
  ['Saint', 'St'],
  ['Saint', 'St.'],
  ['Sankt', 'St.'],
  ['Sainte', 'Ste'],
  ['Mount', 'Mt'],
  ['Mount', 'Mt.'],
  ['Fort', 'Ft'],
  ['International', 'Intl'],
  ['International', "Int'l"],
  ['Center', 'Ctr'],
  ['University', 'Univ'],
  ['National', 'Natl'],
  ['Hauptbahnhof', 'Hbf'],
  ['Bahnhof', 'Bf'],
  ['Street', 'St'],
  ['Avenue', 'Ave'],
  ['Boulevard', 'Blvd'],
  ['Boulevard', 'Bd'],
  ['Square', 'Sq'],
  ['Place', 'Pl'],
  ['Road', 'Rd'],
]

const umlauts: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
  å: 'aa',
  Å: 'Aa',
  ø: 'oe',
  Ø: 'Oe',
  æ: 'ae',
  Æ: 'Ae',
  ß: 'ss',
}
const hasUmlaut = /[äöüÄÖÜåÅøØæÆß]/
/** Languages whose speakers write these letters so; elsewhere `ü` is written `u`. */
const umlautCountries = new Set(['DE', 'AT', 'CH', 'LI', 'DK', 'NO', 'SE', 'FI', 'LU'])

const isLong = ({ folded }: Known): boolean => folded.length >= 7

/** Returns classes of spellings that are equal for people: abbreviations, umlauts, apostrophes. */
export function spellingClasses(world: World, random: Random): Makers {
  const pick = pickFrom(random)
  const spelt = world.places.filter(
    place => hasUmlaut.test(place.name) && umlautCountries.has(place.country ?? '') && isLong(place),
  )
  const chains = chainsOf(world)
  return {
    abbreviation: abbreviationMaker(world, pick),
    ...(spelt.length > 0 && {
      'ue for ü': () => {
        const place = pick.one(spelt)
        const text = place.name.replace(/\p{L}/gu, letter => umlauts[letter] ?? letter)
        return { text: pick.one([text, text.toLowerCase()]), grade: byRank(found => shareName(place, found)) }
      },
    }),
    ...(chains.length > 0 && {
      'chain without apostrophe': () => chainTrial(pick.one(chains), chain => chain.replaceAll(/['’]/g, '')),
      'chain with apostrophe': () => chainTrial(pick.one(chains), chain => chain),
    }),
  }
}

function abbreviationMaker(world: World, pick: Pick): Maker {
  const rules = abbreviations.flatMap(([word, short]) => [
    { from: word, to: short },
    { from: short, to: word },
  ])
  const pattern = (text: string) =>
    new RegExp(`(?<![\\p{L}\\p{N}])${text.replace('.', '\\.')}(?![\\p{L}\\p{N}.'’])`, 'u')
  const lists = rules.flatMap(({ from, to }) => {
    const places = world.places.filter(place => pattern(from).test(place.name) && isLong(place))
    return places.length >= 5 ? [{ pattern: pattern(from), to, places }] : []
  })
  return () => {
    const { pattern: from, to, places } = pick.one(lists)
    const place = pick.one(places)
    const text = place.name.replace(from, to)
    return { text: pick.one([text, text.toLowerCase()]), grade: byRank(found => shareName(place, found)) }
  }
}

/** A name with a possessive and all places whose names begin with it, however they write it. */
interface Chain {
  readonly name: string
  readonly branches: ReadonlySet<Known>
}

const squeezed = (name: string): string => plain(name).replaceAll(' ', '')

/** Returns the names with a possessive that at least eight places begin with. */
function chainsOf({ places }: World): Chain[] {
  const counts = new Map<string, number>()
  for (const { name, category } of places) {
    if (category.startsWith('geo')) continue
    const owner = /^[^-–(,:]{2,20}?['’]s(?= |$)/u.exec(name)?.[0]
    if (owner !== undefined && plain(owner).length >= 5 && /\p{L}{3}/u.test(owner))
      counts.set(owner, (counts.get(owner) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count >= 8)
    .map(([name]) => {
      const own = plain(name)
      const joined = squeezed(name)
      const isBranch = ({ folded }: Known) =>
        `${folded} `.startsWith(`${own} `) ||
        `${folded} `.startsWith(`${joined} `) ||
        folded.replaceAll(' ', '') === joined
      return { name, branches: new Set(places.filter(isBranch)) }
    })
}

/** Grades by the share of the branches among as many results as there are branches. */
function chainTrial({ name, branches }: Chain, spell: (name: string) => string): Trial {
  const share = (found: readonly Found[], most: number) =>
    found.slice(0, most).filter(({ place }) => branches.has(place)).length / most
  return {
    text: spell(name).toLowerCase(),
    limit: branches.size,
    grade: found => ({ first: share(found, branches.size), five: share(found, 5) }),
  }
}
