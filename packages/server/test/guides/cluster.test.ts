/** Runs docs/guides/from-one-machine-to-a-cluster.md: its commands and its settings, with the output that it shows. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, describeWith, execute, type RunningEngine, startValkey } from '../engines.ts'
import { eventually } from '../eventually.ts'
import { send } from '../http-client.ts'
import { findEngine, nextTo } from '../setup/find-engines.ts'
import { freePort } from '../setup/free-port.ts'
import { configFor, importRows, makeKey, scratch } from '../world.ts'
import { listBlocks, normaliseOutput, outputPattern, readDocument } from './blocks.ts'
import { installPeriplus, Machine, type Substitution } from './machines.ts'

const blocks = listBlocks(readDocument('docs/guides/from-one-machine-to-a-cluster.md'))
const folder = scratch()
const found = findEngine('pg')
/** The folder of the clients of PostgreSQL, which packages with the server alone do not have. */
const clients = found && 'program' in found ? [nextTo(found.program, '')] : []
const shownDatabase = 'postgres://periplus@db.internal/periplus'

describeWith(['pg', 'valkey'], 'the guide from one machine to a cluster', () => {
  const machines = new Map<string, Machine>()
  let database: Awaited<ReturnType<typeof createDatabase>>
  let valkey: RunningEngine
  let common: Substitution[]
  let secret: string

  beforeAll(async () => {
    const programs = join(folder.path, 'bin')
    for (const name of ['bin', 'backups', 'blobs']) mkdirSync(join(folder.path, name))
    installPeriplus(programs)
    database = await createDatabase()
    valkey = await startValkey()
    const { hostname, port, username } = new URL(database.url)
    const env = { PGHOST: hostname, PGPORT: port, PGUSER: username, PERIPLUS_FEEDS_SCHEDULE: 'manual' }
    for (const name of ['database', 'node-a', 'node-b', 'worker-a'])
      machines.set(name, new Machine(join(folder.path, name), await freePort(), [programs, ...clients], env))
    common = [
      [shownDatabase, database.url],
      ['--owner periplus periplus', `--owner ${username} ${new URL(database.url).pathname.slice(1)}`],
      ['s3://periplus/eu?endpoint=https://s3.internal', join(folder.path, 'blobs')],
      ['valkey://cache.internal:6379', valkey.url.replace(/^redis/, 'valkey')],
      ['cache.internal:6379', `127.0.0.1:${valkey.port}`],
      ['9091', String(await freePort())],
      ['host: 0.0.0.0', 'host: 127.0.0.1'],
      ['http://10.0.0.11:8080', urlOf('node-a')],
      ['http://10.0.0.12:8080', urlOf('node-b')],
      ['/backups/', `${folder.path}/backups/`],
      ['node-a:/etc/periplus', machineOf('node-a').etc],
      ['node-a:/var/lib/periplus', machineOf('node-a').data],
      ['scp ', 'cp '],
    ]
    const config = configFor(machineOf('node-a').data, { store: 'folder' })
    await importRows(config, 'location', [{ id: 1, name: 'Prado', lat: 40, lon: -3 }])
    secret = (await makeKey(config, { agreement: { rate: 1000, burst: 1000, quota: 1000 } })).secret
  })
  afterAll(async () => {
    for (const machine of machines.values()) await machine.stop('SIGKILL')
    await valkey?.stop()
    await database?.drop()
    folder.remove()
  })

  const machineOf = (name: string): Machine => machines.get(name)!
  const urlOf = (name: string) => `http://127.0.0.1:${machineOf(name).port}`
  const ownOf = ({ etc, data }: Machine): Substitution[] => [
    ['/etc/periplus', etc],
    ['/var/lib/periplus', data],
  ]
  /** Returns an output in the words of the guide, normalised. */
  const toShown = (output: string, machine: Machine) =>
    normaliseOutput(
      substitute(
        output,
        [
          ...ownOf(machine),
          ...common.filter(([shown]) => /internal|9091/.test(shown)),
          ['listening on http://0.0.0.0:8080', `listening on http://127.0.0.1:${machine.port}`] as const,
        ].map(([shown, real]) => [real, shown]),
      ).replace(/\n*$/, '\n'),
    )
  /** Returns the units that a call has left of the quota of its key. */
  const call = async (name: string) => {
    const { status, headers } = await send(urlOf(name), '/locations/1', { headers: { 'X-API-Key': secret } })
    expect(status).toBe(200)
    return Number(/"daily";r=(\d+)/.exec(String(headers.ratelimit))![1])
  }

  test('every block works as shown', { timeout: 240_000 }, async () => {
    for (const [i, { language, words, text }] of blocks.entries()) {
      const [name = 'node-a', how] = words
      const machine = machineOf(name)
      const script = substitute(text, [...common, ...ownOf(machine)])
      if (language === 'yaml') writeFileSync(join(machine.etc, 'periplus.yaml'), script)
      if (language !== 'sh' || !hasProgram(script.split(' ')[0]!, clients)) continue
      // The database of the test exists, so that other tests cannot create one of its name.
      if (name === 'database') await execute(new URL('/postgres', database.url).href, dropFor(database.url))
      const isService = /^periplus (serve|work)/m.test(script)
      const shown = blocks[i + 1]?.language === 'text' ? blocks[i + 1]!.text : undefined
      const run = async () => {
        const output = await (isService ? machine.keepRunning(script) : machine.run(script))
        if (shown !== undefined) expect(toShown(output, machine), text).toMatch(outputPattern(shown))
      }
      await (how === 'until' ? eventually(run) : run())
    }
    const first = await eventually(() => call('node-a'))
    const second = await eventually(() => call('node-b'))
    expect(second).toBeLessThan(first)
    expect(existsSync(join(folder.path, 'backups/periplus.dump'))).toBe(hasProgram('pg_dump', clients))
    for (const name of ['node-b', 'worker-a', 'node-a']) await machineOf(name).stop()
  })
})

/** Returns false for a client of PostgreSQL, or curl, that is missing: the guide runs without its blocks then. */
const hasProgram = (name: string, folders: readonly string[]): boolean =>
  !['createdb', 'pg_dump', 'curl'].includes(name) ||
  [...folders, ...process.env.PATH!.split(delimiter)].some(path => existsSync(join(path, name)))

/** Replaces texts in one pass, the first pair that fits first. */
function substitute(text: string, pairs: readonly Substitution[]): string {
  const replacements = new Map(pairs)
  const pattern = [...replacements.keys()].map(RegExp.escape).join('|')
  return text.replaceAll(new RegExp(pattern, 'g'), found => replacements.get(found)!)
}

const dropFor = (url: string): string => `DROP DATABASE ${new URL(url).pathname.slice(1)}`
