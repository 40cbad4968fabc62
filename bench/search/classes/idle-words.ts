import { type Known, kilometres, shareName } from './known.ts'
import { byNothing, byRank, type Maker, type Makers, type Pick, pickFrom, type Random } from './trial.ts'
import type { World } from './world.ts'

/** Texts around a name that say nothing about the place, by language. */
const idle: readonly string[] = [
  'show me %',
  'where is %',
  'how to get to %',
  'i want to go to %',
  'take me to %',
  'directions to %',
  'tickets for %',
  '% tickets',
  '% opening hours',
  '% reviews',
  '% phone number',
  'best way to see %',
  'please find %',
  'wo ist %',
  'zeig mir %',
  '% öffnungszeiten',
  '% eintritt',
  'où se trouve %',
  'je veux aller à %',
  '% horaires',
  'dónde está %',
  'quiero ir a %',
  'entradas %',
  'dove si trova %',
  '% orari',
  'onde fica %',
  'как добраться до %',
]

/** Makes a word that no name has, of syllables in the letters of a language. */
function unknownWord(world: World, pick: Pick): string {
  return pick.until(() => {
    const syllable = () => pick.letter('bdfgklmnprstvz') + pick.letter('aeiou')
    const word = `${syllable()}${syllable()}${syllable()}${pick.letter('nrslt')}`
    return world.hasWord(word) ? undefined : word
  })
}

/** Letters that nonsense is made of. */
const scripts: Readonly<Record<string, string>> = {
  Latin: 'qwrtzpsdfghjklxcvbnmeaiouy',
  Cyrillic: 'йцукенгшщзхъфывапролджэячсмитьбю',
  Arabic: 'ضصثقفغعهخحجدشسيبلاتنمكطذءرىةوزظ',
}
const lettersOfNonsense = 9

/** Returns classes with words that no place has: they must not decide, and nonsense must find nothing. */
export function idleWordClasses(world: World, random: Random): Makers {
  const pick = pickFrom(random)
  const places = world.places.filter(
    ({ category, folded }) =>
      !category.startsWith('geo:') &&
      category !== 'railway_station' &&
      folded.split(' ').length >= 2 &&
      folded.length >= 10 &&
      folded.length <= 40 &&
      /^[a-z ]+$/.test(folded),
  )
  const cities = world.cities.slice(0, 1000)
  const around =
    (list: readonly Known[], wrap: (name: string) => string): Maker =>
    () => {
      const place = pick.one(list)
      const isSame = (found: Known) => shareName(place, found) && (list !== cities || kilometres(found, place) < 15)
      return { text: wrap(place.name), grade: byRank(isSame) }
    }
  const withUnknown = (name: string) =>
    pick.one([`${name} ${unknownWord(world, pick)}`, `${unknownWord(world, pick)} ${name}`])
  return {
    'name + idle words': around(places, name => pick.one(idle).replace('%', name)),
    'city + idle words': around(cities, name => pick.one(idle).replace('%', name)),
    'name + unknown word': around(places, withUnknown),
    ...Object.fromEntries(
      Object.entries(scripts).map(([script, letters]) => [
        `nonsense, ${script}`,
        () => ({ text: nonsense(world, pick, letters), grade: byNothing }),
      ]),
    ),
    ...hanNonsense(world, pick),
  }
}

/** Makes one to three words of random letters, none of them in a name. */
function nonsense(world: World, pick: Pick, letters: string): string {
  const word = () =>
    pick.until(() => {
      const length = lettersOfNonsense + Number(pick.letter('0123'))
      const made = Array.from({ length }, () => pick.letter(letters)).join('')
      return world.hasWord(made) ? undefined : made
    })
  return Array.from({ length: Number(pick.letter('123')) }, word).join(' ')
}

const han = /\p{Script=Han}+/gu

/** Returns the class of texts whose characters are in names, but no two of them next to each other. */
function hanNonsense({ places }: World, pick: Pick): Makers {
  const characters = new Set<string>()
  const pairs = new Set<string>()
  for (const { name, names } of places) {
    for (const run of [name, ...names].join(' ').match(han) ?? []) {
      const letters = [...run]
      for (const [i, letter] of letters.entries()) {
        characters.add(letter)
        if (i > 0) pairs.add(letters[i - 1]! + letter)
      }
    }
  }
  const inventory = [...characters]
  if (inventory.length < 100) return {}
  const make = () => {
    const made = [pick.one(inventory)]
    while (made.length < 5) {
      const next = pick.one(inventory)
      if (!pairs.has(made.at(-1)! + next)) made.push(next)
    }
    return made.join('')
  }
  return { 'nonsense, Han': () => ({ text: make(), grade: byNothing }) }
}
