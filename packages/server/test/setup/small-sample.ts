/**
 * Preload of a demo that imports the first places of the sample and their reviews only, in a tenth of the time.
 * search/hand-checked.test.ts imports all of them.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'

const count = 3000
const { createReadStream } = fs
const rows = (path: string): string[] => gunzipSync(fs.readFileSync(path)).toString().trimEnd().split('\n')
const idOf = (row: string, member: string): string | undefined => new RegExp(`"${member}":"(.*?)"`).exec(row)?.[1]

/** The rows of a file of the sample that are imported. */
const parts: Readonly<Record<string, (path: string) => string[]>> = {
  'demo/places.ndjson.gz': path => rows(path).slice(0, count),
  'demo/reviews.ndjson.gz': path => {
    const places = parts['demo/places.ndjson.gz']!(path.replace('reviews', 'places'))
    const known = new Set(places.map(row => idOf(row, 'source_id')))
    return rows(path).filter(row => known.has(idOf(row, 'place_source_id')))
  },
}

Object.assign(fs, {
  createReadStream: (...args: Parameters<typeof createReadStream>) => {
    const path = String(args[0])
    const [, part] = Object.entries(parts).find(([name]) => path.endsWith(name)) ?? []
    return part ? Readable.from([Buffer.from(`${part(path).join('\n')}\n`)]) : createReadStream(...args)
  },
})
syncBuiltinESMExports()
