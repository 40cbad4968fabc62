/**
 * Builds demo/places.ndjson.gz and demo/reviews.ndjson.gz from a file of places. The same file and seed give the same
 * sample.
 *   node demo/build-sample.ts --from FILE.ndjson.gz [--seed 1]
 */
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readNdjsonGz, writeNdjsonGz } from './sample/ndjson-gz.ts'
import { generateReviews } from './sample/reviews.ts'
import { selectPlaces } from './sample/select.ts'
import type { SourceRow } from './sample/tidy.ts'

const usage = 'Usage: node demo/build-sample.ts --from FILE.ndjson.gz [--seed 1]'

interface Options {
  readonly from: string
  readonly seed: number
}

/** Parses the arguments; returns an error message if they are invalid. */
function readOptions(args: string[]): Options | string {
  try {
    const { values } = parseArgs({
      args,
      options: { from: { type: 'string' }, seed: { type: 'string', default: '1' } },
    })
    if (values.from === undefined) return 'Name the file of places with --from.'
    if (!existsSync(values.from)) return `The file ${values.from} does not exist.`
    if (!/^\d{1,9}$/.test(values.seed)) return `--seed must be a whole number of at most 9 digits, not ${values.seed}.`
    return { from: values.from, seed: Number(values.seed) }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const progress = (line: string): boolean => process.stderr.write(`${line}\n`)

/** Writes both files of the sample to the folder of this file. */
function build({ from, seed }: Options): void {
  const rows = readNdjsonGz<SourceRow>(from)
  progress(`Read ${rows.length} rows.`)
  const places = selectPlaces(rows, seed)
  const placeBytes = writeNdjsonGz(new URL('places.ndjson.gz', import.meta.url), places)
  progress(`Wrote ${places.length} places, ${placeBytes} bytes.`)
  const reviews = generateReviews(places, seed)
  const reviewBytes = writeNdjsonGz(new URL('reviews.ndjson.gz', import.meta.url), reviews)
  progress(`Wrote ${reviews.length} reviews, ${reviewBytes} bytes.`)
}

const options = readOptions(process.argv.slice(2))
if (typeof options === 'string') {
  progress(`${options}\n${usage}`)
  process.exitCode = 2
} else {
  build(options)
}
