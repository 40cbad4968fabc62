/** Publisher of snapshots for tests of the pull: implements R-45 without any code of the service. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'

export const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Lines by id; the id is JSON text. */
export type Model = Map<string, string>

export interface Summary {
  readonly snapshot_id: string
  readonly sequence: number
  readonly kind: 'full' | 'delta'
}

export interface PublisherOptions {
  readonly feed?: string
  readonly version?: string
  readonly encoding?: 'zstd' | 'gzip'
  /** Number of records per part. */
  readonly partRecords?: number
  readonly key?: KeyObject
}

/** Returns the text of an id without quotes. */
const bare = (id: string): string => (id.startsWith('"') ? JSON.parse(id) : id)
const byValue = (a: string, b: string): number => (BigInt(bare(a)) < BigInt(bare(b)) ? -1 : 1)
const byCodeUnit = (a: string, b: string): number => (bare(a) < bare(b) ? -1 : 1)

/** One edition: its current records and its published snapshots. */
export class Publisher {
  readonly model: Model = new Map()
  readonly snapshots: Summary[] = []
  readonly key: KeyObject
  readonly folder: string
  readonly feed: string
  readonly version: string
  readonly #options: PublisherOptions
  #lastFull: string | undefined
  #lastDelta: string | undefined
  /** Ids of the snapshots whose result equals the current records. */
  #same: string[] = []
  #taken = new Map<string, string>()

  constructor(folder: string, options: PublisherOptions = {}) {
    this.folder = folder
    this.feed = options.feed ?? 'locations'
    this.version = options.version ?? '1'
    this.key = options.key ?? generateKeyPairSync('ed25519').privateKey
    this.#options = options
  }

  ids(model: Model = this.model): string[] {
    return [...model.keys()].sort(this.feed === 'enums' ? byCodeUnit : byValue)
  }

  /** Returns the NDJSON that a pull must produce. */
  result(): string {
    return this.ids()
      .map(id => `${this.model.get(id)}\n`)
      .join('')
  }

  checksum(): string {
    return sha256(
      this.ids()
        .map(id => `${bare(id)} ${sha256(this.model.get(id)!)}\n`)
        .join(''),
    )
  }

  full(change: (manifest: Record<string, unknown>) => Record<string, unknown> = m => m): string {
    const lines = new Map(this.model)
    const id = this.#write('full', lines, 0, change)
    this.#lastFull = id
    this.#same = this.#isSame() ? [...this.#same, id] : [id]
    this.#taken = new Map(this.model)
    return id
  }

  delta(change: (manifest: Record<string, unknown>) => Record<string, unknown> = m => m): string {
    const lines: Model = new Map()
    for (const [id, line] of this.model) if (this.#taken.get(id) !== line) lines.set(id, line)
    let tombstones = 0
    for (const id of this.#taken.keys()) {
      if (this.model.has(id)) continue
      tombstones++
      lines.set(id, `{"op":"delete","id":${id},"reason":"removed","at":"2026-11-20T00:00:00Z"}`)
    }
    const id = this.#write('delta', lines, tombstones, change)
    this.#lastDelta = id
    this.#same = [id]
    this.#taken = new Map(this.model)
    return id
  }

  #isSame(): boolean {
    return this.#taken.size === this.model.size && [...this.model].every(([id, line]) => this.#taken.get(id) === line)
  }

  #write(
    kind: 'full' | 'delta',
    lines: Model,
    tombstones: number,
    change: (manifest: Record<string, unknown>) => Record<string, unknown>,
  ): string {
    const sequence = this.snapshots.length + 1
    const snapshot_id = `2026-11-20.${sequence - 1}-v${this.version}`
    const folder = join(this.folder, snapshot_id)
    mkdirSync(folder, { recursive: true })
    const { encoding = 'zstd', partRecords = 1000 } = this.#options
    const ids = this.ids(lines)
    const files: string[] = []
    for (let i = 0; i < ids.length; i += partRecords) {
      const part = ids.slice(i, i + partRecords)
      const text = part.map(id => `${lines.get(id)}\n`).join('')
      const packed = encoding === 'zstd' ? zstdCompressSync(text) : gzipSync(text)
      const name = `part-${String(files.length).padStart(5, '0')}.ndjson.${encoding === 'zstd' ? 'zst' : 'gz'}`
      writeFileSync(join(folder, name), packed)
      files.push(
        `{"name":"${name}","bytes":${packed.length},"records":${part.length},"sha256":"${sha256(packed)}","min_id":${part[0]},"max_id":${part.at(-1)},"encoding":"${encoding}"}`,
      )
    }
    const manifest = change({
      feed: this.feed,
      version: this.version,
      schema_url: 'http://localhost/feeds/schemas/x.json',
      snapshot_id,
      sequence,
      kind,
      ...(kind === 'delta' && { base_snapshot_id: this.#lastFull, previous_delta: this.#lastDelta }),
      ...(kind === 'delta' && { applies_to: this.#same }),
      created_at: '2026-11-20T00:00:00Z',
      records: ids.length,
      upserts: ids.length - tombstones,
      tombstones,
      files: '@files@',
      records_of_result: this.model.size,
      checksum_of_result: this.checksum(),
      signing_key_id: 'test',
    })
    const unsigned = JSON.stringify(manifest).replace('"@files@"', `[${files.join(',')}]`)
    const signature = sign(null, Buffer.from(unsigned), this.key).toString('base64')
    writeFileSync(join(folder, 'manifest.json'), `${unsigned.slice(0, -1)},"signature":"${signature}"}`)
    this.snapshots.push({ snapshot_id, sequence, kind })
    return snapshot_id
  }
}

/** Returns a line of about the length of a real location. */
export const placeLine = (id: string, text: string): string =>
  `{"id":${id},"names":[{"language":"en","value":${JSON.stringify(text)},"primary":true}],"text":"${text.repeat(5)}"}`

/** Adds, changes and removes about `changes` random records. */
export function applyRandomChanges(publisher: Publisher, changes: number, next: () => number): void {
  const { model } = publisher
  const ids = [...model.keys()]
  for (let i = 0; i < changes; i++) {
    const known = ids[Math.floor(next() * ids.length)]
    const kind = next()
    if (known !== undefined && kind < 0.3) model.delete(known)
    else {
      const id = known !== undefined && kind < 0.6 ? known : String(1 + Math.floor(next() * 1e9))
      model.set(id, placeLine(id, `Name ${Math.floor(next() * 1e6)} ${'é'.repeat(Math.floor(next() * 40))}`))
    }
  }
}
