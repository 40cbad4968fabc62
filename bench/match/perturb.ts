import type { Location, ScopeFacts } from '../../packages/server/src/domain/location.ts'
import type { OwnRecord } from '../../packages/server/src/domain/match.ts'
import type { PlaceClass } from '../../packages/server/src/domain/place-class.ts'
import { namesOf } from '../../packages/server/src/domain/search.ts'
import { classOf } from '../../packages/server/src/match/classes.ts'

type Random = () => number

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!

/** Ways in which the name of a place differs between sources. */
const nameChanges: readonly ((name: string, random: Random, location: Location) => string)[] = [
  name => name,
  name => name,
  name => name.toUpperCase(),
  (name, random) => typo(name, random),
  (name, random) => dropWord(name, random),
  (name, _random, { addresses }) => (addresses?.[0]?.city === undefined ? name : `${name} ${addresses[0].city}`),
  name => name.normalize('NFKD').replace(/\p{M}/gu, ''),
  name => name.replace(/^(hotel|restaurant|museum|the) /i, ''),
  (name, random, location) => pick(random, namesOf(location))?.value ?? name,
]

function typo(name: string, random: Random): string {
  const letters = [...name]
  const at = [...letters.keys()].filter(i => /\p{L}/u.test(letters[i]!))
  if (at.length < 5) return name
  const i = pick(random, at)
  const kind = Math.floor(random() * 3)
  if (kind === 0) letters.splice(i, 1)
  else if (kind === 1) letters.splice(i, 0, 'e')
  else if (i + 1 < letters.length) letters.splice(i, 2, letters[i + 1]!, letters[i]!)
  return letters.join('')
}

function dropWord(name: string, random: Random): string {
  const words = name.split(' ')
  if (words.length < 3) return name
  words.splice(Math.floor(random() * words.length), 1)
  return words.join(' ')
}

/** Differences of the points of a class between sources, in metres. */
const spreadOf: Readonly<Partial<Record<PlaceClass, number>>> = {
  settlement: 800,
  county: 2000,
  region: 5000,
  country: 20_000,
  quarter: 300,
  airport: 500,
  station: 120,
}

/** Returns a record as another source would have the place: another form of the name, a point nearby, some fields. */
export function perturb(location: Location, facts: ScopeFacts, random: Random): OwnRecord {
  const primary = location.names.find(({ primary: is }) => is) ?? location.names[0]!
  const name = pick(random, nameChanges)(primary.value, random, location)
  const [address] = location.addresses ?? []
  const spread = spreadOf[classOf(location.categories[0]!)] ?? 40
  const { latitude, longitude } = location.coordinates
  const north = (random() + random() - 1) * spread
  const east = (random() + random() - 1) * spread
  const phone = location.phoneNumbers?.[0]?.value
  const hasPoint = random() < 0.85
  const hasAddress = random() < 0.5
  const country = facts.country
  const street = [address?.streetAddress, address?.formatted].find(text => /\d/.test(text ?? ''))
  const point = {
    latitude: latitude + north / 111_195,
    longitude: longitude + east / (111_195 * Math.max(0.1, Math.cos((latitude * Math.PI) / 180))),
  }
  return {
    name: name.trim() === '' ? primary.value : name,
    ...((hasPoint || !street) && { point }),
    ...(hasAddress || !hasPoint ? address?.city !== undefined && country !== undefined && { city: address.city } : {}),
    ...(country !== undefined && { countryCode: country }),
    ...((hasAddress || !hasPoint) && street !== undefined && { address: street }),
    ...(random() < 0.4 && address?.postalCode !== undefined && { postalCode: address.postalCode }),
    ...(random() < 0.4 && phone !== undefined && { phone }),
    ...(random() < 0.6 && { categoryId: location.categories[0]!.id }),
  }
}

/** Returns a record of a place that does not exist: the name of one place where another is. */
export function mislead(location: Location, elsewhere: Location, facts: ScopeFacts, random: Random): OwnRecord {
  const own = perturb(location, facts, random)
  const { latitude, longitude } = elsewhere.coordinates
  const { phone: _, address: _a, city: _c, postalCode: _p, countryCode: _cc, ...rest } = own
  return { ...rest, point: { latitude, longitude } }
}
