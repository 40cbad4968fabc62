import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { type CommandResult, periplus } from '../cli.ts'
import { type dump, dump as dumpOf } from '../dump.ts'
import { configFor, scratch } from '../world.ts'

type Columns = Parameters<typeof parquetWriteBuffer>[0]

/** Creates a folder for the files and data folders of one test file; `remove` deletes it. */
export function createWorkspace() {
  const folder = scratch()
  let folders = 0
  const file = (name: string, content: string | Buffer): string => {
    const path = join(folder.path, name)
    writeFileSync(path, content)
    return path
  }
  return {
    path: folder.path,
    remove: folder.remove,
    fresh: (): string => join(folder.path, `data-${++folders}`),
    file,
    parquet: (name: string, columns: Columns): string => file(name, Buffer.from(parquetWriteBuffer(columns))),
    run: (data: string, ...args: string[]): Promise<CommandResult> =>
      periplus(['import', '--data', data, '--json', '--no-index', ...args]),
    tables: (data: string): ReturnType<typeof dump>['tables'] => dumpOf(configFor(data)).tables,
  }
}

/** Returns the stored locations as JSON, by source id. */
export function storedPlaces(tables: Record<string, unknown[]>): Record<string, Record<string, unknown>> {
  const ids = tables.record_ids as { kind: bigint; source_id: string; id: bigint }[]
  const sourceIds = new Map(ids.filter(row => row.kind === 1n).map(row => [row.id, row.source_id]))
  return Object.fromEntries(
    (tables.locations as { id: bigint; record: string }[]).map(row => [sourceIds.get(row.id), JSON.parse(row.record)]),
  )
}

/** Encodes a point as well-known binary. */
export function wkbPoint(lon: number, lat: number): Uint8Array {
  const bytes = Buffer.alloc(21)
  bytes.writeUInt8(1, 0)
  bytes.writeUInt32LE(1, 1)
  bytes.writeDoubleLE(lon, 5)
  bytes.writeDoubleLE(lat, 13)
  return new Uint8Array(bytes)
}
