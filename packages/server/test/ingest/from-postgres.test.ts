import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileCache, main, nodeArgs } from '../cli.ts'
import { dump } from '../dump.ts'
import { eventually } from '../eventually.ts'
import { configFor } from '../world.ts'

/** Folder in which Debian installs each PostgreSQL version. */
const debian = '/usr/lib/postgresql'
const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
const bin = versions.map(version => join(debian, version, 'bin')).find(path => existsSync(join(path, 'initdb')))
const asRoot = process.getuid?.() === 0
// PostgreSQL refuses to run as root, so tests under root use the account of Debian's package.
const numberOf = (flag: string) => spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' })
const account = asRoot ? numberOf('-u') : undefined
const why =
  bin === undefined
    ? 'PostgreSQL is not installed'
    : account && account.status !== 0
      ? 'the user postgres does not exist'
      : undefined

const guide = readFileSync(fileURLToPath(new URL('../../../../docs/guides/from-postgres.md', import.meta.url)), 'utf8')
const blocks = (language: string) =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(one => one[1]!)
const [views, changes] = blocks('sql')
const [firstLoad, nightly, incremental] = blocks('sh')

const tables = `
CREATE TABLE places (id bigint PRIMARY KEY, title text, latitude float8, longitude float8, kind text, street text,
  city text, zip text, country_code text, opening_hours text, closed_on date, updated_at timestamptz DEFAULT now(),
  deleted_at timestamptz);
CREATE TABLE place_titles (place_id bigint, lang text, title text);
CREATE TABLE reviews (id bigint PRIMARY KEY, place_id bigint, stars int, body text, lang text, created_at timestamptz,
  author_id bigint, author text, updated_at timestamptz DEFAULT now(), deleted_at timestamptz);
INSERT INTO places SELECT 9223372036854770000 + n, 'Place ' || n, 40, -3, 'museum', 'Calle ' || n, 'Madrid', '28001', 'ES',
  'Mo-Fr 09:00-17:00' FROM generate_series(1, 5000) n;
UPDATE places SET title = E'The "Old"\\nInn \\\\ Bar', closed_on = '2024-02-29' WHERE id = 9223372036854770001;
INSERT INTO place_titles VALUES (9223372036854770001, 'es', 'La posada');
INSERT INTO reviews SELECT n, 9223372036854770000 + n % 5000 + 1, n % 5 + 1, E'It''s "good"\\n\\ttext ' || n, 'en', now(), n, 'Ann'
  FROM generate_series(1, 3000) n;
`

describe.skipIf(why !== undefined)(`commands of docs/guides/from-postgres.md${why ? ` (skipped: ${why})` : ''}`, () => {
  const folder = mkdtempSync('/tmp/periplus-postgres-')
  const [cluster, work] = [join(folder, 'cluster'), join(folder, 'work')]
  const data = join(work, 'periplus-data')
  let server: ReturnType<typeof spawn> | undefined
  const port = String(20_000 + (process.pid % 20_000))
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    PATH: [work, bin ?? '', process.env.PATH].join(delimiter),
    PGHOST: folder,
    PGPORT: port,
    PGUSER: 'postgres',
    PGDATABASE: 'postgres',
    PERIPLUS_DATA: data,
    NODE_COMPILE_CACHE: compileCache,
  }
  /** Runs programs without root privileges. */
  const owner = asRoot ? { uid: Number(account!.stdout), gid: Number(numberOf('-g').stdout) } : {}
  const psql = (sql: string) =>
    execFileSync('psql', ['-X', '-At', '-v', 'ON_ERROR_STOP=1', '-c', sql], { env, encoding: 'utf8' })
  const shell = (script: string, more: NodeJS.ProcessEnv = {}) =>
    spawnSync('sh', ['-c', script], { cwd: work, env: { ...env, ...more }, encoding: 'utf8' })
  const stored = () => dump(configFor(data)).tables as Record<string, { id: bigint; record: string }[]>

  beforeAll(async () => {
    mkdirSync(work)
    mkdirSync(cluster)
    chmodSync(folder, 0o777)
    if (asRoot) execFileSync('chown', ['postgres', cluster])
    const initdb = ['-D', cluster, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
    execFileSync(join(bin!, 'initdb'), initdb, { ...owner, cwd: folder, stdio: 'ignore' })
    const settings = ['-c', 'listen_addresses=', '-c', 'fsync=off', '-k', folder, '-p', port]
    server = spawn(join(bin!, 'postgres'), ['-D', cluster, ...settings], { ...owner, cwd: folder, stdio: 'ignore' })
    await eventually(() => execFileSync(join(bin!, 'pg_isready'), ['-q'], { env }))
    const program = join(work, 'periplus')
    writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" ${nodeArgs.join(' ')} "${main}" "$@"\n`)
    chmodSync(program, 0o755)
    psql(tables)
    psql(views!)
  })
  afterAll(async () => {
    if (server?.exitCode === null) {
      const ended = new Promise(resolve => server!.on('exit', resolve))
      server.kill('SIGINT')
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  })

  test('the first load keeps ids, quotes, line ends and other scripts unchanged', () => {
    const ran = shell(firstLoad!)
    expect([ran.status, ran.stdout]).toEqual([0, expect.stringMatching(/locations +5000 +5000/)])
    expect(ran.stdout).toMatch(/reviews +3000 +3000/)
    const { locations, reviews } = stored()
    expect([locations!.length, reviews!.length]).toEqual([5000, 3000])
    expect(locations![0]!.id).toBe(9223372036854770001n)
    expect(JSON.parse(locations![0]!.record)).toMatchObject({
      names: [
        { value: 'The "Old"\nInn \\ Bar', primary: true },
        { language: 'es', value: 'La posada' },
      ],
      status: { value: 'CLOSED', closedDate: '2024-02-29' },
      openingHours: { periods: expect.arrayContaining([{ dayOfWeek: 'MONDAY', opens: '09:00', closes: '17:00' }]) },
    })
    expect(JSON.parse(reviews![0]!.record)).toMatchObject({
      text: [{ value: 'It\'s "good"\n\ttext 1', language: 'en' }],
    })
  })

  test('the nightly sync removes deleted rows, and nothing if the export fails', () => {
    psql('UPDATE places SET deleted_at = now() WHERE id % 100 = 7; UPDATE reviews SET deleted_at = now() WHERE id = 5')
    psql("UPDATE places SET title = 'New name' WHERE id = 9223372036854770002")
    const ran = shell(nightly!)
    expect([ran.status, ran.stdout], ran.stderr).toEqual([
      0,
      expect.stringContaining('50 of 5000 locations are no longer in crm: 50 removed.'),
    ])
    const { locations, reviews } = stored()
    expect(locations!.length).toBe(4950)
    expect(locations![1]!.record).toContain('New name')
    expect(reviews!.some(({ id }) => id === 5n)).toBe(false)
    expect(shell(nightly!.replace('periplus_reviews r"', 'no_such_view r"')).status).not.toBe(0)
    expect(stored().locations!.length).toBe(4950)
  })

  test('the incremental sync applies updates and deletions', () => {
    const since = psql('SELECT now()').trim()
    writeFileSync(join(work, 'changes.sql'), changes!)
    psql("UPDATE places SET title = 'Newer', updated_at = clock_timestamp() WHERE id = 9223372036854770003")
    psql('UPDATE places SET deleted_at = clock_timestamp() WHERE id = 9223372036854770004')
    const ran = shell(incremental!, { SINCE: since })
    expect([ran.status, ran.stdout], ran.stderr).toEqual([0, expect.stringMatching(/locations +2 +0 +1 +0 +1 +0/)])
  })

  test('reports the text format of COPY, by row and at the end; accepts COPY as CSV', () => {
    const copy = (how: string) => `psql -X -At -c "COPY (${how}" | periplus import - --kind locations --source crm`
    const text = shell(copy('SELECT row_to_json(p) FROM periplus_places p ORDER BY id LIMIT 20) TO STDOUT'))
    expect(text.stdout).toContain('line 1: copy_text_format')
    expect(text.stdout).toContain('Use psql -At with SELECT')
    expect(text.stdout).toContain("The input looks like COPY's text format")
    const csv = shell(copy('SELECT * FROM periplus_places ORDER BY id) TO STDOUT WITH (FORMAT csv, HEADER)'))
    expect([csv.status, csv.stdout], csv.stderr).toEqual([
      0,
      expect.stringMatching(/locations +4949 +0 +0 +4949 +0 +0/),
    ])
  })
})
