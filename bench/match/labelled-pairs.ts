import { distanceScale } from '../../packages/server/src/match/classes.ts'
import { metersBetween } from '../../packages/server/src/match/distance.ts'
import type { MatchRecord } from '../../packages/server/src/match/record.ts'
import type { ComparedPlace } from './read-records.ts'

/** Two records that an id or a phone number labels as one place, or as two. The records lack it. */
export interface LabelledPair {
  readonly kind: string
  readonly a: MatchRecord
  readonly b: MatchRecord
  readonly isOnePlace: boolean
  /** The record that is the place of `a`, if `b` is another one. */
  readonly truth?: MatchRecord
}

/** Finds the labelled pairs of a list of places. */
export function labelledPairs(places: readonly ComparedPlace[]): readonly LabelledPair[] {
  return [...pairsOfGeoNames(places), ...pairsOfPhones(places), ...pairsOfNeighbours(places)]
}

const maxSettlementMeters = 25_000
const maxTwiceMeters = { alike: 300, named: 3000 }
const maxVenueMeters = 2000
const minBranchMeters = 100
const maxBuildingMeters = 50

const metersOf = (a: MatchRecord, b: MatchRecord): number => metersBetween(a.point!, b.point!)
const nameOf = ({ names: [name = []] }: MatchRecord): string => name.join(' ')
const shareWord = (a: MatchRecord, b: MatchRecord): boolean =>
  a.names[0]?.some(word => word.length > 2 && b.names[0]?.includes(word)) ?? false

/** Settlements of Who's On First with the id of GeoNames: the one of that id, and namesakes nearby. */
function* pairsOfGeoNames(places: readonly ComparedPlace[]): Generator<LabelledPair> {
  const cities = places.filter(({ place }) => place.source === 'geonames')
  const byId = new Map(cities.map(one => [one.place.source_id, one]))
  const near = new Grid(cities, 0.25)
  for (const { place, record } of places) {
    const id = place.concordances?.['gn:id']
    const truth = id === undefined ? undefined : byId.get(String(id))
    if (!truth || record.placeClass !== 'settlement') continue
    if (metersOf(record, truth.record) <= maxSettlementMeters)
      yield { kind: 'settlement, one id', a: plain(record), b: plain(truth.record), isOnePlace: true }
    // An id of a place with another name, or one that is farther than a namesake, may be wrong.
    if (!haveOneName(record, truth.record)) continue
    for (const other of near.around(record)) {
      const isHard = other !== truth && shareWord(record, other.record) && !isListedTwice(truth.record, other.record)
      const meters = metersOf(record, other.record)
      if (isHard && meters <= maxSettlementMeters && meters > metersOf(record, truth.record))
        yield {
          kind: 'settlement, other id',
          a: plain(record),
          b: plain(other.record),
          isOnePlace: false,
          truth: plain(truth.record),
        }
    }
  }
}

/** Returns true for two records of GeoNames that are one settlement: GeoNames lists some twice. */
const isListedTwice = (a: MatchRecord, b: MatchRecord): boolean => {
  const meters = metersOf(a, b)
  return meters <= maxTwiceMeters.alike || (meters <= maxTwiceMeters.named && haveOneName(a, b))
}

const haveOneName = (a: MatchRecord, b: MatchRecord): boolean => {
  const names = new Set(a.names.map(name => name.join(' ')))
  return b.names.some(name => names.has(name.join(' ')))
}

/** Venues that alone have a phone number, at one address: one place. */
function* pairsOfPhones(places: readonly ComparedPlace[]): Generator<LabelledPair> {
  const byPhone = Map.groupBy(
    places.filter(({ record }) => record.phones.length === 1 && record.street.length > 0),
    ({ record }) => record.phones[0]!,
  )
  let count = 0
  for (const [a, b, more] of byPhone.values()) {
    if (!a || !b || more || a.record.placeClass !== b.record.placeClass) continue
    if (metersOf(a.record, b.record) > maxVenueMeters || !haveOneAddress(a.record, b.record)) continue
    // The address is hidden from every other pair, and as if two sources had the records.
    const hide = (record: MatchRecord) => plain(count % 2 === 0 ? { ...record, street: [] } : record)
    yield { kind: 'venue, one phone', a: hide(a.record), b: { ...hide(b.record), source: 'other' }, isOnePlace: true }
    count++
  }
}

/** Venues with other phone numbers: branches of a name, and neighbours in one building. */
function* pairsOfNeighbours(places: readonly ComparedPlace[]): Generator<LabelledPair> {
  const venues = places.filter(({ record }) => record.phones.length > 0 && distanceScale(record.placeClass) === 1)
  const near = new Grid(venues, 0.02)
  for (const one of venues) {
    for (const other of near.around(one.record)) {
      const [a, b] = [one.record, other.record]
      if (one.place.source_id >= other.place.source_id || a.phones.some(phone => b.phones.includes(phone))) continue
      const meters = metersOf(a, b)
      const pair = { a: plain(a), b: { ...plain(b), source: 'other' }, isOnePlace: false }
      const areOneClass = a.placeClass === b.placeClass
      if (areOneClass && nameOf(a) === nameOf(b)) {
        if (meters >= minBranchMeters && meters <= maxVenueMeters && haveOtherNumbers(a, b))
          yield { kind: 'venue, branches', ...pair }
      } else if (meters <= maxBuildingMeters && haveOneAddress(a, b) && a.postalCode === b.postalCode) {
        if (!areOneClass && shareWord(a, b)) yield { kind: 'venue, parts of one house', ...pair }
        if (areOneClass && !shareWord(a, b)) yield { kind: 'venue, one building', ...pair }
      }
    }
  }
}

const plainRecords = new WeakMap<MatchRecord, MatchRecord>()

/** Returns a record without what labels it: the same one each time. */
function plain(record: MatchRecord): MatchRecord {
  const known = plainRecords.get(record) ?? { ...record, keys: [], phones: [] }
  plainRecords.set(record, known)
  return known
}

/** Returns the house number of an address: its first number. */
const numberOf = ({ street }: MatchRecord): string | undefined => street.find(word => /^\d+[a-z]?$/.test(word))
/** Returns true for two addresses with one house number and a word of the street in common. */
const haveOneAddress = (a: MatchRecord, b: MatchRecord): boolean =>
  numberOf(a) !== undefined &&
  numberOf(a) === numberOf(b) &&
  a.street.some(word => /^[^\d]{4}/.test(word) && b.street.includes(word))
/** Returns true for two addresses that have no number in common, as `45-630` and `630` have. */
const haveOtherNumbers = (a: MatchRecord, b: MatchRecord): boolean => {
  const [left, right] = [a, b].map(({ street, postalCode }) =>
    street.filter(word => /^\d+[a-z]?$/.test(word) && word !== postalCode),
  )
  return left!.length > 0 && right!.length > 0 && !left!.some(number => right!.includes(number))
}

/** Places by cells of some degrees. */
class Grid {
  readonly #cells = new Map<string, ComparedPlace[]>()
  readonly #degrees: number

  constructor(places: readonly ComparedPlace[], degrees: number) {
    this.#degrees = degrees
    for (const place of places) {
      const [row, column] = this.#cellOf(place.record)
      const key = `${row} ${column}`
      const cell = this.#cells.get(key) ?? []
      this.#cells.set(key, cell)
      cell.push(place)
    }
  }

  /** Yields the places of the cell of a record and of those around it. */
  *around(record: MatchRecord): Generator<ComparedPlace> {
    const [row, column] = this.#cellOf(record)
    for (let y = row - 1; y <= row + 1; y++)
      for (let x = column - 1; x <= column + 1; x++) yield* this.#cells.get(`${y} ${x}`) ?? []
  }

  #cellOf({ point }: MatchRecord): readonly [row: number, column: number] {
    return [Math.floor(point!.latitude / this.#degrees), Math.floor(point!.longitude / this.#degrees)]
  }
}
