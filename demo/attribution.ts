/**
 * Writes demo/ATTRIBUTION.md from the bundled records; with `--check`, only compares it with them.
 *   node demo/attribution.ts [--check]
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { attributionText } from './sample/attribution-text.ts'
import { readNdjsonGz } from './sample/ndjson-gz.ts'
import type { Place, Review } from './sample/place.ts'

const usage = 'Usage: node demo/attribution.ts [--check]'
const target = new URL('ATTRIBUTION.md', import.meta.url)

/** Parses the arguments; returns an error message if they are invalid. */
function readOptions(args: string[]): { check: boolean } | string {
  try {
    const { values } = parseArgs({ args, options: { check: { type: 'boolean', default: false } } })
    return { check: values.check }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Returns the text of the file for the bundled records. */
const expectedText = (): string =>
  attributionText(
    readNdjsonGz<Place>(new URL('places.ndjson.gz', import.meta.url)),
    readNdjsonGz<Review>(new URL('reviews.ndjson.gz', import.meta.url)),
  )

/** Writes or checks the file, and returns the exit code. */
function run(check: boolean): number {
  const text = expectedText()
  if (!check) {
    writeFileSync(target, text)
    return 0
  }
  if (existsSync(target) && readFileSync(target, 'utf8') === text) return 0
  process.stderr.write('demo/ATTRIBUTION.md does not match the bundled records. Run node demo/attribution.ts.\n')
  return 1
}

const options = readOptions(process.argv.slice(2))
if (typeof options === 'string') {
  process.stderr.write(`${options}\n${usage}\n`)
  process.exitCode = 2
} else {
  process.exitCode = run(options.check)
}
