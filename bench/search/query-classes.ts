import type { TopLevelCategory } from '../../packages/server/src/domain/category.ts'
import type { Point } from '../../packages/server/src/domain/search.ts'
import { distancesFrom } from '../../packages/server/src/search/index/sphere.ts'
import type { FlatPlace } from './flat-places.ts'

/** A query made from a place, and the check whether a result is correct. */
export interface Trial {
  readonly text: string
  readonly near?: Point
  readonly geoName?: string
  readonly categories?: readonly TopLevelCategory[]
  readonly hit: (found: Known, matchedName: string | undefined) => boolean
}

/** A place that queries are made from. */
export interface Known {
  readonly name: string
  readonly folded: string
  readonly names: readonly string[]
  readonly latitude: number
  readonly longitude: number
  readonly city: string | undefined
  readonly population: number
  readonly category: string
}

export type Random = () => number

/** Normalises a text, deliberately without the folding of the index. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

export const known = (place: FlatPlace): Known => ({
  name: place.name,
  folded: plain(place.name),
  names: Object.values(place.names ?? {}),
  latitude: place.lat!,
  longitude: place.lon,
  city: place.city,
  population: place.population ?? 0,
  category: place.category ?? '',
})

const isLatin = ({ name }: Known): boolean => /^[\p{Script=Latin}\p{M}\p{N}\p{P}\p{Z}]+$/u.test(name)
const otherScript = /[^\p{Script=Latin}\p{M}\p{N}\p{P}\p{Z}]/u
const noSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]{2,}/u

const sameName = (place: Known, found: Known, matched?: string): boolean =>
  [found.name, ...found.names, ...(matched === undefined ? [] : [matched])].some(
    name => plain(name) === place.folded || place.names.some(own => plain(own) === plain(name)),
  )
const samePlace = (place: Known, found: Known, matched?: string): boolean =>
  distancesFrom(place)(found.latitude, found.longitude) < 2 && sameName(place, found, matched)

/** Returns a point about two kilometres away. */
const near = ({ latitude, longitude }: Known): Point => ({ latitude: latitude + 0.02, longitude })

/** Returns generators of queries by class. */
export function queryClasses(places: readonly Known[], random: Random): Record<string, () => Trial> {
  const pick = <T>(list: readonly T[] | string): T | string => list[Math.floor(random() * list.length)]!
  const edit = (text: string, edits: number): string => {
    const letters = [...text]
    for (let i = 0; i < edits; i++) {
      const at = 1 + Math.floor(random() * (letters.length - 2))
      const how = random()
      const letter = pick('abcdefghijklmnopqrstuvwxyz') as string
      if (how < 0.3) letters.splice(at, 1)
      else if (how < 0.55) letters.splice(at, 0, letter)
      else if (how < 0.8) letters[at] = letter
      else [letters[at], letters[at + 1]] = [letters[at + 1]!, letters[at]!]
    }
    return letters.join('')
  }
  const usable = places.filter(({ folded }) => folded !== '')
  const cities = usable.filter(p => p.category === 'geo:city').sort((a, b) => b.population - a.population)
  const sights = usable.filter(
    p => !p.category.startsWith('geo') && p.category !== 'railway_station' && p.folded.length >= 6,
  )
  const inCity = sights.filter(p => p.city !== undefined && !p.folded.includes(plain(p.city)))
  const long = sights.filter(p => isLatin(p) && p.folded.length >= 9)
  const accented = usable.filter(
    p => isLatin(p) && p.name.toLowerCase() !== plain(p.name) && /\p{M}/u.test(p.name.normalize('NFD')),
  )
  const wordy = sights.filter(p => isLatin(p) && p.folded.split(' ').length >= 3)
  const foreign = usable.filter(p => p.names.some(name => otherScript.test(name)))
  const unspaced = usable.filter(p => p.names.some(name => noSpaces.test(name)))

  type Hit = (place: Known, found: Known, matched?: string) => boolean
  const trialFrom =
    (list: readonly Known[], make: (place: Known) => Omit<Trial, 'hit'>, hit: Hit = samePlace) =>
    () => {
      const place = pick(list) as Known
      return { ...make(place), hit: (found: Known, matched: string | undefined) => hit(place, found, matched) }
    }
  const prefix = (length: number) => () => {
    const text = (pick(cities.slice(0, 3000)) as Known).folded.slice(0, length)
    const best = cities.filter(city => city.folded.startsWith(text)).slice(0, 10)
    return { text, categories: ['GEO' as const], hit: (found: Known) => best.some(city => samePlace(city, found)) }
  }
  const nameLike = (pattern: RegExp) => (p: Known) => ({
    text: pick(p.names.filter(name => pattern.test(name))) as string,
  })
  return {
    exact: trialFrom(sights, p => ({ text: p.name }), sameName),
    'exact+bias': trialFrom(sights, p => ({ text: p.name, near: near(p) })),
    'name+city': trialFrom(inCity, p => ({ text: `${p.name} ${p.city}` })),
    'geo_name filter': trialFrom(inCity, p => ({ text: p.name, geoName: p.city! }), sameName),
    prefix3: prefix(3),
    prefix4: prefix(4),
    prefix5: prefix(5),
    'unfinished word': trialFrom(long, p => ({
      text: p.folded.slice(0, Math.ceil(p.folded.length * 0.7)),
      near: near(p),
    })),
    typo1: trialFrom(long, p => ({ text: edit(p.folded, 1) }), sameName),
    typo2: trialFrom(long, p => ({ text: edit(p.folded, 2) }), sameName),
    'typo1+bias': trialFrom(long, p => ({ text: edit(p.folded, 1), near: near(p) })),
    'no diacritics': trialFrom(accented, p => ({ text: plain(p.name) }), sameName),
    'words swapped': trialFrom(wordy, p => ({ text: p.folded.split(' ').reverse().join(' ') }), sameName),
    'other script': trialFrom(foreign, nameLike(otherScript), sameName),
    'cjk and thai': trialFrom(unspaced, nameLike(noSpaces), sameName),
  }
}

/**
 * Returns generators of further classes, for promises of the rulings (Operations) that `queryClasses` does not cover.
 */
export function furtherClasses(places: readonly Known[], random: Random): Record<string, () => Trial> {
  const basic = queryClasses(places, random)
  const mutated = (name: string, change: (trial: Trial) => Partial<Trial>) => () => {
    const trial = basic[name]!()
    return { ...trial, ...change(trial) }
  }
  return {
    'city name': mutated('name+city', ({ text }) => ({ text: text.split(' ').reverse().join(' ') })),
    'upper case': mutated('exact', ({ text }) => ({ text: text.toUpperCase() })),
    'no spaces': mutated('typo1', ({ text }) => ({ text: text.replace(' ', '') })),
    'swapped+bias': mutated('unfinished word', ({ text }) => ({ text: text.split(' ').reverse().join(' ') })),
    'typo+city': mutated('name+city', ({ text }) => ({
      text: text.length < 8 ? text : text.slice(0, 4) + text.slice(5),
    })),
  }
}
