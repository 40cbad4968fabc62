import { Assembler } from 'stream-json/assembler.js'
import { jsonParser, type Token } from 'stream-json/core/parser.js'
import { UnreadableInput } from '../input.ts'
import type { Fields, Row } from '../row.ts'
import { lineTooLong, readNdjson, recordSeparator } from './ndjson.ts'

/** Larger than the limit for a line of NDJSON, because an outline may have many points. */
const maxFeatureBytes = 16 * 1024 * 1024

/** Reads GeoJSON texts, one per line or each after a record separator (RFC 8142). */
export const readFeatureLines = (chunks: AsyncIterable<Buffer>, separated: boolean): AsyncGenerator<Row> =>
  readNdjson(chunks, { maxBytes: maxFeatureBytes, ...(separated && { separator: recordSeparator }) })

/** Matches reference systems in degrees that agree with WGS 84 to within about a metre. */
const degreesCrs = /(CRS8[34]h?|EPSG:[\d.]*:?(4326|4979|4258|4269))$/i

/**
 * Throws UnreadableInput if a collection declares coordinates other than degrees, because they would be stored at a
 * wrong place. RFC 7946 has no `crs`, but older files declare one before their features.
 */
export function checkCrs(name: string, head: string): void {
  const [before = ''] = head.split('"features"', 1)
  const crs = /"crs"\s*:\s*\{[^}]*"name"\s*:\s*"([^"]+)"/.exec(before)?.[1]
  if (crs === undefined || degreesCrs.test(crs)) return
  throw new UnreadableInput(
    `${name} has coordinates in ${crs}, but longitude and latitude (WGS 84) are required. Convert it first, for example with ogr2ogr -t_srs EPSG:4326.`,
  )
}

/**
 * Reads the features of a FeatureCollection of any size as a stream; rows are numbered by feature. A feature that is
 * too large is rejected. Throws UnreadableInput at invalid JSON, after yielding the features before it.
 */
export async function* readCollection(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<Row> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const parse = jsonParser({ streamValues: false })
  const features = new FeatureAssembler()
  const invalid = (reason: string) =>
    new UnreadableInput(`${name} is not valid GeoJSON at feature ${features.count}: ${reason}.`)
  for await (const chunk of chunks) {
    let tokens: readonly Token[]
    try {
      const out = parse(decoder.decode(chunk, { stream: true }))
      tokens = typeof out === 'object' && 'values' in out ? out.values : []
    } catch (error) {
      throw invalid((error as Error).message)
    }
    yield* features.read(tokens)
  }
  if (!features.isClosed) throw invalid('the file ends before the collection does')
  if (!features.isFound) throw new UnreadableInput(`${name} is not a FeatureCollection: it has no list "features".`)
}

/** Assembles the members of the list `features` from the tokens of a collection. */
class FeatureAssembler {
  /** Number of features that have started. */
  count = 0
  /** True after the start of the list `features`. */
  isFound = false
  /** True after the end of the collection. */
  isClosed = false
  #depth = 0
  #key = ''
  #isInList = false
  #assembler: Assembler | undefined
  #size = 0

  #readToken(token: Token): Row | undefined {
    const isStart = token.name === 'startObject' || token.name === 'startArray'
    const isEnd = token.name === 'endObject' || token.name === 'endArray'
    if (isEnd) this.#depth--
    if (this.#isInList) {
      if (isEnd && this.#depth === 1) this.#isInList = false
      else {
        const row = this.#readInList(token, isStart)
        if (isStart) this.#depth++
        return row
      }
    } else if (this.#depth === 1) {
      if (token.name === 'keyValue') this.#key = token.value
      else if (token.name === 'startArray' && this.#key === 'features') {
        this.#isInList = true
        this.isFound = true
      }
    }
    if (isEnd && this.#depth === 0) this.isClosed = true
    if (isStart) this.#depth++
    return undefined
  }

  /** Yields the rows of features that end in these tokens. */
  *read(tokens: readonly Token[]): Generator<Row> {
    for (const token of tokens) {
      const row = this.#readToken(token)
      if (row) yield row
    }
  }

  /** Reads a token of the list or of a feature in it; `#depth` is 2 between features. */
  #readInList(token: Token, isStart: boolean): Row | undefined {
    const isOuter = this.#depth === 2
    if (isOuter && (isStart || this.#assembler === undefined)) {
      this.count++
      this.#assembler = new Assembler()
      this.#size = 0
    }
    this.#size += 'value' in token ? String(token.value).length + 4 : 1
    if (this.#size <= maxFeatureBytes) this.#assembler!.consume(withExactInteger(token))
    if (!isOuter || isStart) return undefined
    const value = this.#assembler!.current
    this.#assembler = undefined
    return this.#size > maxFeatureBytes
      ? { ...this.#row(''), rejection: lineTooLong(maxFeatureBytes) }
      : this.#feature(value)
  }

  #feature(value: unknown): Row {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { ...this.#row(value), record: value as Fields }
    }
    return { ...this.#row(value), rejection: { reason: 'not_an_object', detail: 'The feature is not a JSON object.' } }
  }

  #row(value: unknown) {
    return { line: this.count, text: () => JSON.stringify(value) }
  }
}

/** Converts an integer that a double cannot represent to a string of its digits. */
function withExactInteger(token: Token): Token {
  if (token.name !== 'numberValue' || !/^-?\d{16,}$/.test(token.value) || Number.isSafeInteger(Number(token.value)))
    return token
  return { name: 'stringValue', value: token.value }
}
