import { createHash, createPublicKey } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import type { Config } from '../../src/config/load.ts'
import { type Edition, type FeedName, type FeedSnapshot, feedNames, type Manifest } from '../../src/domain/feed.ts'
import { everything } from '../../src/domain/visibility.ts'
import { listEditions } from '../../src/feeds/list-editions.ts'
import { isSigned } from '../../src/feeds/manifest.ts'
import { readSchema, schemaName } from '../../src/feeds/schemas.ts'
import { readSigningKey, type SigningKey } from '../../src/feeds/signing-key.ts'
import { Snapshots } from '../../src/feeds/snapshots.ts'
import { parseLongJson } from '../../src/kit/long-json.ts'
import { openAdmin } from '../composed.ts'
import { closeObjects } from '../contract/close.ts'
import { record } from '../record.ts'
import { makeKey } from '../world.ts'

/** Creates a key that is pinned to one version in every feed. */
export async function pinnedKey(config: Config, version: string): Promise<string> {
  const { id } = await makeKey(config, { packageName: 'innovate' })
  const admin = openAdmin(config)
  for (const feed of feedNames) {
    const change = { keyId: id, feed, from: admin.latestStable, to: version, by: 'test', atMs: admin.clock.nowMs() }
    const { revision } = (await admin.keys.key(id, everything))!
    if (version !== admin.latestStable) await admin.keys.pinFeed(revision, change, record())
  }
  admin.close()
  return id
}

export const feedsOf = (config: Config): string => join(config.data, 'feeds')

/** Lists all available snapshots by edition. */
export const editions = (config: Config): { edition: Edition; snapshots: FeedSnapshot[] }[] =>
  listEditions(feedsOf(config)).map(edition => ({
    edition,
    snapshots: new Snapshots(feedsOf(config)).list(edition),
  }))

/** A parsed line; ids keep full 64-bit precision. */
// biome-ignore lint/suspicious/noExplicitAny: tests access any member of a record.
export type FeedLine = any
export const parse = (line: string): FeedLine => parseLongJson(line)

/** Returns a comparator for ascending ids: numbers by value, words by code unit. */
export const ascending = (feed: FeedName) => (a: string, b: string) =>
  feed === 'enums' ? (a < b ? -1 : 1) : BigInt(a) < BigInt(b) ? -1 : 1

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
const validators = new Map<string, ValidateFunction>()

function validatorOf(edition: Edition): ValidateFunction {
  const name = schemaName(edition)
  const known = validators.get(name) ?? ajv.compile(closeObjects(JSON.parse(readSchema(name)!)))
  validators.set(name, known)
  return known
}

/** Reads a snapshot as a partner that verifies everything. Returns the lines of its files by id, in file order. */
export function readSnapshot(config: Config, { manifest, bytes, folder }: FeedSnapshot): Map<string, string> {
  const key = readSigningKey(feedsOf(config)) as SigningKey
  expect(isSigned(bytes, createPublicKey(key.publicPem))).toBe(true)
  const lines = new Map<string, string>()
  const validate = validatorOf(manifest)
  let before: string | undefined
  for (const file of manifest.files) {
    const stored = readFileSync(join(folder, file.name))
    expect([stored.length, sha256(stored)]).toEqual([file.bytes, file.sha256])
    expect(stored.length).toBeLessThanOrEqual(config.feeds.partMb * 1024 * 1024)
    const text = (file.encoding === 'gzip' ? gunzipSync : zstdDecompressSync)(stored).toString()
    expect(text.endsWith('\n')).toBe(true)
    const records = text.slice(0, -1).split('\n')
    expect(records.length).toBe(file.records)
    const ids = records.map(line => String(parse(line).id))
    expect([ids[0], ids.at(-1)]).toEqual([String(file.min_id), String(file.max_id)])
    for (const [i, line] of records.entries()) {
      const id = ids[i]!
      if (before !== undefined && ascending(manifest.feed)(before, id) > 0) expect.fail(`${id} comes after ${before}`)
      before = id
      // JSON Schema validators read numbers as doubles, so the line is parsed without 64-bit ids.
      if (!validate(JSON.parse(line)))
        expect.fail(`${schemaName(manifest)}: ${line}: ${ajv.errorsText(validate.errors)}`)
      lines.set(id, line)
    }
  }
  expect(lines.size).toBe(manifest.records)
  const tombstones = [...lines.values()].filter(isTombstone).length
  expect([lines.size - tombstones, tombstones]).toEqual([manifest.upserts, manifest.tombstones])
  return lines
}

export const isTombstone = (line: string): boolean => line.startsWith('{"op":"delete",')

/** Returns the records that result from applying a snapshot to the previous records. */
export function applied(before: ReadonlyMap<string, string>, manifest: Manifest, lines: ReadonlyMap<string, string>) {
  const after = new Map(manifest.kind === 'full' ? [] : before)
  for (const [id, line] of lines) {
    if (!isTombstone(line)) after.set(id, line)
    else if (!after.delete(id)) expect.fail(`a tombstone of ${id}, which did not exist`)
  }
  return after
}

/** Computes the checksum of a complete set of records. */
export function checksumOf(feed: FeedName, lines: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256')
  for (const id of [...lines.keys()].sort(ascending(feed))) hash.update(`${id} ${sha256(lines.get(id)!)}\n`)
  return hash.digest('hex')
}

const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')

export const manifestFile = (snapshot: FeedSnapshot): string => join(snapshot.folder, 'manifest.json')
export const hasAllParts = ({ folder, manifest }: FeedSnapshot): boolean =>
  manifest.files.every(({ name }) => existsSync(join(folder, name)))
