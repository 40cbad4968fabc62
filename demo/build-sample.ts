import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readNdjsonGz, writeNdjsonGz } from './sample/ndjson-gz.ts'
import { generateReviews } from './sample/reviews.ts'
import { selectPlaces } from './sample/select.ts'
import type { SourceRow } from './sample/tidy.ts'

const usage = 'usage: node demo/build-sample.ts --from FILE.ndjson.gz [--seed 1]'

interface Options {
  readonly from: string
  readonly seed: number
}

/** The options, or a sentence that says what is wrong with them. */
function readOptions(args: string[]): Options | string {
  try {
    const { values } = parseArgs({
      args,
      options: { from: { type: 'string' }, seed: { type: 'string', default: '1' } },
    })
    if (values.from === undefined) return 'say which places file to build from'
    if (!existsSync(values.from)) return `there is no file ${values.from}`
    if (!/^\d{1,9}$/.test(values.seed)) return `the seed must be a whole number, not ${values.seed}`
    return { from: values.from, seed: Number(values.seed) }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const progress = (line: string): boolean => process.stderr.write(`${line}\n`)

/** Writes both files of the sample beside this one. */
function build({ from, seed }: Options): void {
  const rows = readNdjsonGz<SourceRow>(from)
  progress(`read ${rows.length} rows`)
  const places = selectPlaces(rows, seed)
  const placeBytes = writeNdjsonGz(new URL('places.ndjson.gz', import.meta.url), places)
  progress(`wrote ${places.length} places, ${placeBytes} bytes`)
  const reviews = generateReviews(places, seed)
  const reviewBytes = writeNdjsonGz(new URL('reviews.ndjson.gz', import.meta.url), reviews)
  progress(`wrote ${reviews.length} reviews, ${reviewBytes} bytes`)
}

const options = readOptions(process.argv.slice(2))
if (typeof options === 'string') {
  progress(`${options}; ${usage}`)
  process.exitCode = 2
} else {
  build(options)
}
