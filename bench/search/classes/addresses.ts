import { type Known, kilometres, plain } from './known.ts'
import { byRank, byShare, type Makers, pickFrom, type Random } from './trial.ts'
import type { World } from './world.ts'

/** A place with a street and a house number. */
export interface Addressed {
  readonly place: Known
  readonly street: string
  readonly city: string
}

/** Returns the part of an address before the town and what follows it: the street and the number. */
export function addressed(place: Known): Addressed[] {
  const { address, city, postalCode } = place
  if (address === undefined || city === undefined) return []
  const end = [
    address.lastIndexOf(` ${city}`),
    postalCode === undefined ? -1 : address.indexOf(` ${postalCode}`),
  ].filter(at => at > 0)
  const street = address
    .slice(0, Math.min(address.length, ...end))
    .replace(/[,\s]+$/, '')
    .trim()
  const words = plain(street).split(' ')
  const hasNumber = words.some(word => /^\d{1,5}[a-z]?$/.test(word))
  const hasName = words.some(word => /^\p{L}{4,}$/u.test(word))
  return hasNumber && hasName && words.length <= 6 ? [{ place, street, city }] : []
}

/** Countries that write the code behind the town. */
const codeIsLast = new Set(['US', 'CA', 'GB', 'AU', 'NZ', 'SG', 'IN'])

/** Returns the five digits of an American code with nine, and other codes as they are. */
export const typedCode = (code: string): string => code.replace(/^(\d{5})-\d{4}$/, '$1')

/** Returns classes of queries for addresses and postal codes without `search_type`. */
export function addressClasses(world: World, random: Random): Makers {
  const pick = pickFrom(random)
  const houses = world.places.flatMap(addressed)
  const coded = world.places.filter(
    ({ postalCode, city }) => postalCode !== undefined && postalCode.length >= 4 && city,
  )
  const byCode = new Map<string, Known[]>()
  for (const place of coded) {
    const code = typedCode(place.postalCode!)
    byCode.set(code, [...(byCode.get(code) ?? []), place])
  }
  const hasCode = (code: string) => (place: Known) =>
    place.postalCode !== undefined && plain(typedCode(place.postalCode)) === plain(code)
  if (houses.length === 0 || coded.length === 0) return {}
  return {
    'street and number': () => {
      const { place, street, city } = pick.one(houses)
      const text = pick.one([`${street} ${city}`, `${street}, ${city}`, `${street} ${city}`.toLowerCase()])
      return { text, grade: byRank(found => isAtAddress(found, street, place)) }
    },
    'street, number, code': () => {
      const { place, street, city } = pick.one(houses.filter(house => house.place.postalCode !== undefined))
      const code = typedCode(place.postalCode!)
      const text = codeIsLast.has(place.country ?? '') ? `${street}, ${city} ${code}` : `${street}, ${code} ${city}`
      return { text, grade: byRank(found => isAtAddress(found, street, place)) }
    },
    'postal code + city': () => {
      const place = pick.one(coded)
      const code = typedCode(place.postalCode!)
      const fits = (found: Known) => hasCode(code)(found) && found.country === place.country
      const available = byCode.get(code)!.filter(fits).length
      return { text: pick.one([`${code} ${place.city}`, `${place.city} ${code}`]), grade: byShare(fits, available) }
    },
    'postal code': () => {
      const code = typedCode(pick.one(coded).postalCode!)
      return { text: code, grade: byShare(hasCode(code), byCode.get(code)!.length) }
    },
  }
}

/** Accepts every place at the address; another number or the same street in another town is wrong. */
export const isAtAddress = (found: Known, street: string, { latitude, longitude, city }: Known): boolean =>
  ` ${plain(found.address ?? '')} `.includes(` ${plain(street)} `) &&
  (found.city === city || kilometres(found, { latitude, longitude }) < 5)
