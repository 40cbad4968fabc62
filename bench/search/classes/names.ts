import { distancesFrom } from '../../../packages/server/src/search/index/sphere.ts'
import { type Known, plain } from './known.ts'
import { byRank, type Maker, type Makers, pickFrom, type Random, type Trial } from './trial.ts'

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
const near = ({ latitude, longitude }: Known) => ({ latitude: latitude + 0.02, longitude })

/** Returns a function that makes random edits inside a text. */
const editor = (random: Random) => (text: string, edits: number) => {
  const letters = [...text]
  for (let i = 0; i < edits; i++) {
    const at = 1 + Math.floor(random() * (letters.length - 2))
    const how = random()
    const letter = pickFrom(random).letter('abcdefghijklmnopqrstuvwxyz')
    if (how < 0.3) letters.splice(at, 1)
    else if (how < 0.55) letters.splice(at, 0, letter)
    else if (how < 0.8) letters[at] = letter
    else [letters[at], letters[at + 1]] = [letters[at + 1]!, letters[at]!]
  }
  return letters.join('')
}

/** Returns classes of queries by names: exact, unfinished, misspelt, in other scripts, with a bias or a city. */
export function nameClasses(places: readonly Known[], random: Random): Makers {
  const pick = pickFrom(random)
  const edit = editor(random)
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
    (list: readonly Known[], make: (place: Known) => Omit<Trial, 'grade'>, hit: Hit = samePlace): Maker =>
    () => {
      const place = pick.one(list)
      return { ...make(place), grade: byRank((found, matched) => hit(place, found, matched)) }
    }
  const prefix =
    (length: number): Maker =>
    () => {
      const text = pick.one(cities.slice(0, 3000)).folded.slice(0, length)
      const best = cities.filter(city => city.folded.startsWith(text)).slice(0, 10)
      return { text, categories: ['GEO'], grade: byRank(found => best.some(city => samePlace(city, found))) }
    }
  const nameLike = (pattern: RegExp) => (p: Known) => ({ text: pick.one(p.names.filter(name => pattern.test(name))) })
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

/** Returns further classes of names, for promises of the rulings (Operations) that `nameClasses` does not cover. */
export function furtherNameClasses(places: readonly Known[], random: Random): Makers {
  const basic = nameClasses(places, random)
  const mutated =
    (name: string, change: (trial: Trial) => Partial<Trial>): Maker =>
    () => {
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
