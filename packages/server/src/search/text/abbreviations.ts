/**
 * Groups of words that mean the same in names: abbreviations with the words in full, numbers with their words, and
 * spellings of one word. An abbreviation of several words is in several groups, so that these words are not equal to
 * one another.
 */
const groups = [
  // Stations and airports.
  'hbf hauptbahnhof',
  'bf bhf bahnhof',
  'stn station',
  'intl international',
  'intl internacional',
  'apt arpt airport',
  // Streets and squares.
  'st street',
  'str strasse',
  'av ave avenue',
  'av avda avenida',
  'bd bld blvd boulevard',
  'rd road',
  'dr drive',
  'ln lane',
  'hwy highway',
  'pkwy parkway',
  'sq square',
  'pl place',
  'pl plaza',
  'pl platz',
  'pza plaza',
  'pza piazza',
  'ctra carretera',
  'ул улица',
  'пл площадь',
  'пр просп проспект',
  // Saints and mountains.
  'st saint',
  'st sankt',
  'st sint',
  'ste sainte',
  'sta santa',
  'sto santo',
  'mt mount',
  'mt mont',
  'mtn mountain',
  'ft fort',
  // Institutions.
  'ctr center centre',
  'univ university',
  'univ universitat',
  'univ universite',
  'univ universidad',
  'univ universita',
  'natl national',
  'bldg building',
  'dept department',
  'theater theatre',
  'harbor harbour',
  // Numbers.
  ...'one two three four five six seven eight nine ten'.split(' ').map((word, i) => `${i + 1} ${word}`),
  ...'first 1st, second 2nd, third 3rd, fourth 4th, fifth 5th, sixth 6th, seventh 7th, eighth 8th, ninth 9th'.split(
    ', ',
  ),
]

/** Words of the same meaning, by word. */
const equals = new Map<string, readonly string[]>()
for (const group of groups.map(words => words.split(' '))) {
  for (const word of group) equals.set(word, [...(equals.get(word) ?? []), ...group.filter(other => other !== word)])
}
const noWords: readonly string[] = []

/** Returns the words that mean the same in names as a folded word, in both directions: "saint" for "st" and "st" for "saint". */
export const equalWords = (word: string): readonly string[] => equals.get(word) ?? noWords

/** Words for "and" in several languages, which names often write as "&" or omit. */
const conjunctions = new Set(['and', 'und', 'et', 'y', 'e', 'og', 'och', 'en', 'i'])

/** Returns variants of a query without one of its conjunctions between two words. */
export const withoutConjunctions = (words: readonly string[]): string[][] =>
  words.flatMap((word, at) =>
    at > 0 && at < words.length - 1 && conjunctions.has(word) ? [[...words.slice(0, at), ...words.slice(at + 1)]] : [],
  )
