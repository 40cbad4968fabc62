/**
 * The service that a team builds in two days: Fastify, places in PostgreSQL (with PostGIS where it is installed), and
 * the limits of keys in Redis or Valkey, a counter per second and one per day. It records no usage; its search finds
 * prefixes of names without ranking and corrections, and its records are short.
 *   node bench/peers/baseline/serve.ts DATABASE-SOCKET-FOLDER COUNTER-SOCKET KEY [--postgis]
 */
import Fastify from 'fastify'

/** The parts of the packages `pg` and `ioredis` that are used here. */
interface Pool {
  query(query: { name: string; text: string; values: readonly unknown[] }): Promise<{ rows: Place[] }>
}
interface Pipeline {
  incr(key: string): Pipeline
  expire(key: string, seconds: number): Pipeline
  exec(): Promise<[error: Error | null, result: number][]>
}
type Place = Readonly<Record<string, unknown>>
type Clients = [
  { default: { Pool: new (options: Readonly<Record<string, unknown>>) => Pool } },
  { default: { Redis: new (socket: string) => { pipeline(): Pipeline } } },
]

const [databaseFolder, counterSocket, key, option] = process.argv.slice(2)
// Named in variables, so that the types of this repository do not depend on the packages.
const names = ['pg', 'ioredis']
const [{ default: pg }, { default: ioredis }] = (await Promise.all(names.map(name => import(name)))) as Clients
const database = new pg.Pool({ host: databaseFolder, user: 'bench', database: 'postgres', max: 8 })
const counters = new ioredis.Redis(counterSocket!)

const columns =
  'id, name, category, latitude, longitude, country, region, city, address, rating, review_count, population'
const nearbyText =
  option === '--postgis'
    ? `SELECT ${columns}, ST_Distance(spot, ST_MakePoint($1, $2)::geography) AS distance FROM places
       WHERE ST_DWithin(spot, ST_MakePoint($1, $2)::geography, $3)
       ORDER BY spot <-> ST_MakePoint($1, $2)::geography LIMIT 10`
    : `SELECT ${columns}, spot <-> point($1, $2) AS distance FROM places
       WHERE spot <@ box(point($1::float8 - $3::float8, $2::float8 - $3::float8), point($1 + $3, $2 + $3))
       ORDER BY spot <-> point($1, $2) LIMIT 10`
/** Unit of the third parameter of this query: metres with PostGIS, degrees without it. */
const unit = option === '--postgis' ? 1 : 1 / 111_190

const query = async (name: string, text: string, values: readonly unknown[]): Promise<Place[]> =>
  (await database.query({ name, text, values })).rows

/** Limits of a key, which no benchmark reaches. */
const limits = { perSecond: 1_000_000, perDay: 1_000_000_000 }

/** Counts a call of a key; returns false if the key has exceeded a limit. */
async function admit(key: string): Promise<boolean> {
  const second = Math.floor(Date.now() / 1000)
  const [bySecond, byDay] = [`rate:${key}:${second}`, `quota:${key}:${Math.floor(second / 86_400)}`]
  const counted = await counters.pipeline().incr(bySecond).expire(bySecond, 2).incr(byDay).expire(byDay, 86_400).exec()
  return counted[0]![1] <= limits.perSecond && counted[2]![1] <= limits.perDay
}

const app = Fastify()
app.addHook('onRequest', async (request, reply) => {
  if (request.headers['x-api-key'] !== key) return reply.code(401).send({ error: 'The key is missing or unknown.' })
  if (!(await admit(key!))) return reply.code(429).send({ error: 'The limit of the key is exceeded.' })
})

app.get<{ Params: { id: string } }>('/places/:id', async ({ params: { id } }, reply) => {
  const [data] = await query('one', `SELECT ${columns} FROM places WHERE id = $1`, [id])
  return data === undefined ? reply.code(404).send({ error: 'The place does not exist.' }) : { data }
})

app.get<{ Querystring: { ids: string } }>('/places', async ({ query: { ids } }) => ({
  data: await query('many', `SELECT ${columns} FROM places WHERE id = ANY($1)`, [ids.split(',')]),
}))

app.get<{ Querystring: { query: string } }>('/search', async ({ query: { query: text } }) => {
  const first = text.toLowerCase()
  const places = await query(
    'search',
    `SELECT ${columns} FROM places WHERE folded >= $1 AND folded < $2 ORDER BY folded LIMIT 10`,
    [first, `${first}\u{10ffff}`],
  )
  return { data: places }
})

app.get<{ Querystring: { lat: string; lon: string; metres: string } }>('/nearby', async ({ query: at }) => {
  const places = await query(
    'nearby',
    nearbyText,
    [Number(at.lon), Number(at.lat), Number(at.metres) * unit].map(String),
  )
  return { data: places }
})

process.stdout.write(`listening on ${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)
process.once('SIGTERM', () => process.exit(0))
