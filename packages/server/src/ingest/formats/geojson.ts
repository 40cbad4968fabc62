import { Assembler } from 'stream-json/assembler.js'
import { jsonParser, type Token } from 'stream-json/core/parser.js'
import { UnreadableInput } from '../input.ts'
import type { Fields, Row } from '../row.ts'
import { readNdjson, recordSeparator, tooLong } from './ndjson.ts'

/** An outline may have many points: more than a line of NDJSON may have. */
const maxFeatureBytes = 16 * 1024 * 1024

/** GeoJSON texts one a line, or each behind a record separator (RFC 8142). */
export const readFeatureLines = (chunks: AsyncIterable<Buffer>, separated: boolean): AsyncGenerator<Row> =>
  readNdjson(chunks, { maxBytes: maxFeatureBytes, ...(separated && { separator: recordSeparator }) })

/** Longitude and latitude in degrees, on datums that agree within a metre or so. */
const degrees = /(CRS8[34]h?|EPSG:[\d.]*:?(4326|4979|4258|4269))$/i

/** RFC 7946 has no `crs`, but older files say theirs before the features: metres would pass for nonsense or for degrees. */
export function refuseOtherCrs(name: string, head: string): void {
  const [before = ''] = head.split('"features"', 1)
  const crs = /"crs"\s*:\s*\{[^}]*"name"\s*:\s*"([^"]+)"/.exec(before)?.[1]
  if (crs === undefined || degrees.test(crs)) return
  throw new UnreadableInput(
    `${name} has its coordinates in ${crs}; they have to be longitude and latitude (WGS 84): convert it first, with ogr2ogr -t_srs EPSG:4326 for example.`,
  )
}

/**
 * The features of a FeatureCollection, one after another, however large it is; a feature that is too large is passed
 * over. Rows are numbered by feature. Throws UnreadableInput where the JSON breaks: what came before is good.
 */
export async function* readCollection(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<Row> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const parse = jsonParser({ streamValues: false })
  const features = new Features()
  const broken = (why: string) => new UnreadableInput(`${name} is broken at feature ${features.count}: ${why}.`)
  for await (const chunk of chunks) {
    let tokens: readonly Token[]
    try {
      const out = parse(decoder.decode(chunk, { stream: true }))
      tokens = typeof out === 'object' && 'values' in out ? out.values : []
    } catch (error) {
      throw broken((error as Error).message)
    }
    yield* features.take(tokens)
  }
  if (!features.closed) throw broken('it ends in the middle')
  if (!features.found) throw new UnreadableInput(`${name} is no FeatureCollection: it has no list "features".`)
}

/** Follows the tokens of a collection and puts together what lies in its list `features`. */
class Features {
  /** Features that have begun. */
  count = 0
  found = false
  closed = false
  #depth = 0
  #key = ''
  #within = false
  #assembler: Assembler | undefined
  #size = 0

  #step(token: Token): Row | undefined {
    const begins = token.name === 'startObject' || token.name === 'startArray'
    const ends = token.name === 'endObject' || token.name === 'endArray'
    if (ends) this.#depth--
    if (this.#within) {
      if (ends && this.#depth === 1) this.#within = false
      else {
        const row = this.#part(token, begins)
        if (begins) this.#depth++
        return row
      }
    } else if (this.#depth === 1) {
      if (token.name === 'keyValue') this.#key = token.value
      else if (token.name === 'startArray' && this.#key === 'features') {
        this.#within = true
        this.found = true
      }
    }
    if (ends && this.#depth === 0) this.closed = true
    if (begins) this.#depth++
    return undefined
  }

  /** A token of the list itself or of a feature in it; `#depth` is 2 between features. */
  #part(token: Token, begins: boolean): Row | undefined {
    const outer = this.#depth === 2
    if (outer && (begins || this.#assembler === undefined)) {
      this.count++
      this.#assembler = new Assembler()
      this.#size = 0
    }
    this.#size += 'value' in token ? String(token.value).length + 4 : 1
    if (this.#size <= maxFeatureBytes) this.#assembler!.consume(exact(token))
    if (!outer || begins) return undefined
    const value = this.#assembler!.current
    this.#assembler = undefined
    return this.#size > maxFeatureBytes
      ? { ...this.#row(''), rejection: tooLong(maxFeatureBytes) }
      : this.#feature(value)
  }

  #feature(value: unknown): Row {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { ...this.#row(value), record: value as Fields }
    }
    return { ...this.#row(value), rejection: { reason: 'not_an_object', detail: 'This is no object, and no feature.' } }
  }

  *take(tokens: readonly Token[]): Generator<Row> {
    for (const token of tokens) {
      const row = this.#step(token)
      if (row) yield row
    }
  }

  #row(value: unknown) {
    return { line: this.count, text: () => JSON.stringify(value) }
  }
}

/** Integers that a double cannot hold go on as their digits. */
function exact(token: Token): Token {
  if (token.name !== 'numberValue' || !/^-?\d{16,}$/.test(token.value) || Number.isSafeInteger(Number(token.value)))
    return token
  return { name: 'stringValue', value: token.value }
}
