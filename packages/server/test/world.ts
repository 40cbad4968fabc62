import { Readable } from 'node:stream'
import { findConfigErrors } from '../src/compose/configuration.ts'
import { describeEngine } from '../src/compose/engine.ts'
import { composeImport } from '../src/compose/import.ts'
import { composeServer, type Service } from '../src/compose/server.ts'
import { type Config, loadConfig, type Overrides } from '../src/config/load.ts'
import type { Actor } from '../src/domain/actor.ts'
import { isAdminFault } from '../src/domain/admin-fault.ts'
import type { ImportReport, Rejection } from '../src/domain/import.ts'
import type { Key } from '../src/domain/key.ts'
import { newPartnerTerms } from '../src/domain/partner.ts'
import type { RecordKind } from '../src/domain/record-write.ts'
import { everything } from '../src/domain/visibility.ts'
import { importInput } from '../src/ingest/import.ts'
import { openInput } from '../src/ingest/input.ts'
import { type Clock, systemClock } from '../src/kit/clock.ts'
import { toLongJson } from '../src/kit/long-json.ts'
import { openFolder } from '../src/store/engine.ts'
import { createKey } from '../src/usecases/admin/create-key.ts'
import { rotateKey } from '../src/usecases/admin/rotate-key.ts'
import { openAdmin } from './composed.ts'
import { highLimits } from './high-limits.ts'
import { type Reply, type Sent, send } from './http-client.ts'
import { addNode, followOwnClock, nodesOfWorlds, sharedSettings } from './nodes.ts'
import { record } from './record.ts'
import { scratch } from './scratch.ts'
import { freePort } from './setup/free-port.ts'
import { storeOf } from './world-database.ts'
import { deletions, locations, reviews } from './world-rows.ts'

export { freePort, scratch }

/** The actor of administrative actions in tests. */
export const actor: Actor = { kind: 'system', id: 'test', via: 'system' }

/** Serializes rows as NDJSON; bigints keep all their digits. */
export const ndjson = (rows: readonly object[]): string =>
  rows
    .map(row => `${JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? toLongJson(value) : value))}\n`)
    .join('')

/** Returns a configuration for a data folder: a free port, no log, and the overrides of a test. */
export const configFor = (data: string, flags: Overrides = {}): Config =>
  loadConfig({
    defaultFile: '',
    env: {},
    flags: {
      data,
      'server.port': 0,
      'server.logLevel': 'silent',
      'server.idleGraceMs': 0,
      // Runs the tests of a file over the ordinary way alone: PERIPLUS_FAST_PATH=false npx vitest run FILE
      'server.fastPath': process.env.PERIPLUS_FAST_PATH !== 'false',
      // Runs the tests of a file over some serving threads: PERIPLUS_THREADS=2 npx vitest run FILE
      'server.threads': Number(process.env.PERIPLUS_THREADS ?? 1),
      // Runs the tests of a file over an index of many parts: PERIPLUS_PART_PLACES=4 npx vitest run FILE
      ...(process.env.PERIPLUS_PART_PLACES && { 'search.partPlaces': Number(process.env.PERIPLUS_PART_PLACES) }),
      'feeds.schedule': 'manual',
      // Runs the tests of a file over PostgreSQL: PERIPLUS_TEST_STORE=postgres npx vitest run FILE
      ...storeOf(data),
      ...flags,
    },
    check: findConfigErrors,
  }).config

/** Creates the data folder of a configuration, without contents. */
export const makeFolder = (config: Config): void => void openFolder(describeEngine(config), { create: true })

export interface Rejected extends Rejection {
  readonly line: number
}

/** Imports bytes as if they came from standard input. */
export async function importBytes(
  config: Config,
  bytes: Buffer | string,
  options: { kind?: RecordKind; force?: boolean; dryRun?: boolean; defaultStatus?: 'OPEN' } = {},
): Promise<{ report: ImportReport; kind: RecordKind | undefined; rejected: Rejected[] }> {
  const importing = await composeImport(config, { dryRun: options.dryRun ?? false })
  const rejected: Rejected[] = []
  let kind: RecordKind | undefined
  try {
    const report = await importInput(
      openInput('-', Readable.from(bytes.length > 0 ? [Buffer.from(bytes)] : [])),
      importing.writer,
      { kind: options.kind, force: options.force ?? false, defaultSource: 'import', defaultStatus: 'OPEN' },
      {
        described: found => {
          kind = found.kind
        },
        rejected: (line, _text, rejection) => rejected.push({ line, ...rejection }),
      },
      importing.clock,
    )
    return { report, kind, rejected }
  } finally {
    await importing.close()
  }
}

export const importRows = (config: Config, kind: RecordKind, rows: readonly object[]) =>
  importBytes(config, ndjson(rows), { kind })

/** Creates a key, by default of package `discover` with limits that no test reaches by accident. */
export async function makeKey(
  config: Config,
  terms: Partial<Pick<Key, 'packageName' | 'addOns' | 'agreement' | 'scope' | 'test'>> = {},
): Promise<{ id: string; secret: string }> {
  const admin = openAdmin(config)
  try {
    await admin.keys.createPartner(
      { id: 'tester', name: 'Tester', ...newPartnerTerms, createdMs: admin.clock.nowMs(), revision: 1 },
      record(),
    )
    const input = { partnerId: 'tester', packageName: 'discover' as const, agreement: highLimits, ...terms }
    const made = await createKey(admin, actor, input)
    if (isAdminFault(made)) throw new Error(made.fault)
    return { id: made.key.id, secret: made.secret }
  } finally {
    admin.close()
  }
}

/** Rotates a key and returns the new secret. */
export async function rotateSecret(config: Config, id: string, overlapMs: number): Promise<string> {
  const admin = openAdmin(config)
  try {
    const { revision } = (await admin.keys.key(id, everything))!
    const made = await rotateKey(admin, actor, { id, expectedRevision: revision, overlapMs })
    if (isAdminFault(made)) throw new Error(made.fault)
    return made.secret
  } finally {
    admin.close()
  }
}

/** A running service with a small data set of edge cases. */
export interface World {
  readonly config: Config
  /** Base URL of the service, of each node in turn; changes with a restart. */
  readonly url: string
  /** Base URL of the admin port, if the flags configure one. */
  readonly adminUrl: string | undefined
  /** URL of the management server, if it has a port of its own. */
  readonly managementUrl: string | undefined
  /** API key that may call everything. */
  readonly key: string
  /** Sends a GET with `key`, unless `sent` overrides it. The key `null` sends none. */
  get(target: string, sent?: Sent & { readonly key?: string | null }): Promise<Reply>
  /** Stops the service, calls `meanwhile`, and starts it again. */
  restart(meanwhile?: () => void | Promise<void>): Promise<void>
  close(): Promise<void>
}

/** Imports the standard rows or the given locations, serves them in this process on a free port, and creates a key. */
export async function startWorld(
  flags: Overrides = {},
  rows: 'world' | 'empty' | readonly object[] = 'world',
  clock: Clock = systemClock,
): Promise<World> {
  const folder = scratch()
  // Other threads know the clock of the machine only.
  const ofClock = clock === systemClock ? {} : { 'server.threads': 1 }
  const isShared = nodesOfWorlds() > 1
  // With a public URL, the running service does not report its port: choose one in advance.
  const port = flags['server.publicUrl'] === undefined && !isShared ? 0 : await freePort()
  const blobs = isShared ? [scratch()] : []
  const shared = isShared ? sharedSettings(port, blobs[0]!.path) : {}
  const config = configFor(folder.path, { 'server.port': port, ...ofClock, ...shared, ...flags })
  if (rows === 'world') {
    await importRows(config, 'location', locations)
    await importRows(config, 'review', reviews)
    await importRows(config, 'location', deletions)
  } else if (rows !== 'empty') {
    await importRows(config, 'location', rows)
  }
  const { secret } = await makeKey(config, { packageName: 'innovate' })
  if (isShared) followOwnClock()
  const others = await Promise.all(Array.from({ length: nodesOfWorlds() - 1 }, () => addNode(config)))
  let running: readonly Service[]
  let urls: readonly string[]
  let turn = 0
  const listen = async () => {
    const configs = [config, ...others.map(other => other.config)]
    running = await Promise.all(configs.map(of => composeServer(of, { demo: false, clock })))
    const publicUrls = await Promise.all(running.map(service => service.listen()))
    urls = configs.map(({ server }, i) =>
      server.publicUrl ? `http://127.0.0.1:${server.port}` : new URL(publicUrls[i]!).origin,
    )
  }
  const drain = () => Promise.all(running.map(service => service.drain()))
  await listen()
  const nextUrl = () => urls[turn++ % urls.length]!
  return {
    config,
    get url() {
      return nextUrl()
    },
    get adminUrl() {
      return running[0]!.adminUrl
    },
    get managementUrl() {
      return running[0]!.managementUrl
    },
    key: secret,
    get: (target, { key = secret, ...sent } = {}) =>
      send(nextUrl(), target, { ...sent, headers: { ...(key !== null && { 'X-API-Key': key }), ...sent.headers } }),
    restart: async meanwhile => {
      await drain()
      await meanwhile?.()
      await listen()
    },
    close: async () => {
      await drain()
      for (const { remove } of [folder, ...others, ...blobs]) remove()
    },
  }
}
