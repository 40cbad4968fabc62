/**
 * Prints generated reviews of the places of a file, in the flat import format. Few places have many reviews and many
 * have few; the reviews are not ordered by place, like an export ordered by time. The same arguments yield the same
 * reviews.
 *   node bench/load/gen-reviews.ts COUNT PLACES.ndjson [--seed 1] [--from 0] > reviews.ndjson
 */
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { createRandom } from '../../packages/server/src/kit/random.ts'
import { flag } from './figures.ts'

interface PlaceKey {
  readonly source: string
  readonly source_id: string
}

/** Skew of reviews per place and per user: of a million places, the one with most reviews has 0.4 % of all reviews. */
const skew = 2.5
const usersPerReview = 0.3
const firstDay = Date.UTC(2012, 0, 1)
const days = 14 * 365
const languages = ['en', 'en', 'en', 'en', 'es', 'es', 'fr', 'de', 'it', 'pt', 'ja', 'en-GB']
const trips = ['COUPLES', 'COUPLES', 'FAMILY', 'FRIENDS', 'SOLO', 'BUSINESS', undefined, undefined]
const ratings = [5, 5, 5, 5, 4, 4, 4, 3, 2, 1]
const aspects = ['value', 'service', 'location', 'cleanliness', 'food', 'rooms']
const words =
  'we stayed here for three nights and the staff were friendly but breakfast was a little late room view over old harbour quiet street short walk from station food fresh tasty portions large prices fair would come back again with family children loved garden pool clean towels coffee strong wine local museum hidden gem worth detour queue long tickets online guide shared stories about city history lovely evening light terrace'.split(
    ' ',
  )

const count = Number(process.argv[2])
const file = process.argv[3]
if (!Number.isInteger(count) || count < 1 || file === undefined) {
  console.error('Usage: node bench/load/gen-reviews.ts COUNT PLACES.ndjson [--seed N] [--from N]')
  process.exit(2)
}
const from = Number(flag('from', '0'))
const random = createRandom(Number(flag('seed', '1')))
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
const places = await keysOf(file)
const users = Math.ceil(count * usersPerReview)

let lines = ''
for (let i = 0; i < count; i++) {
  lines += `${JSON.stringify(review(i))}\n`
  if (lines.length > 1 << 20 || i === count - 1) {
    if (!process.stdout.write(lines)) await once(process.stdout, 'drain')
    lines = ''
  }
}

function review(i: number) {
  const place = places[scatter(Math.floor(places.length * random() ** skew), places.length)]!
  const user = Math.floor(users * random() ** skew)
  const trip = pick(trips)
  const rated = random() < 0.4 ? aspects.filter(() => random() < 0.4) : []
  return {
    source: 'bench',
    source_id: `r${from + i}`,
    place_source: place.source,
    place_source_id: place.source_id,
    rating: pick(ratings),
    ...(random() < 0.6 && { title: sentence(2 + Math.floor(random() * 5)) }),
    text: sentence(10 + Math.floor(90 * random() ** 2)),
    lang: pick(languages),
    published_date: new Date(firstDay + Math.floor(random() * days) * 86_400_000).toISOString().slice(0, 10),
    ...(trip && { trip_type: trip }),
    user_id: `u${user}`,
    user_name: `Traveller ${user}`,
    ...(rated.length > 0 && { subratings: Object.fromEntries(rated.map(name => [name, pick(ratings)])) }),
  }
}

/** Maps an index to another one, so that places with many reviews are not next to each other. */
function scatter(index: number, length: number): number {
  return Number((BigInt(index) * 2_654_435_761n) % BigInt(length))
}

function sentence(length: number): string {
  const text = Array.from({ length }, () => pick(words)).join(' ')
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`
}

async function keysOf(path: string): Promise<PlaceKey[]> {
  const keys: PlaceKey[] = []
  for await (const line of createInterface({
    input: path.endsWith('.gz') ? createReadStream(path).pipe(createGunzip()) : createReadStream(path),
  })) {
    const { source, source_id } = JSON.parse(line) as PlaceKey
    keys.push({ source, source_id })
  }
  return keys
}
