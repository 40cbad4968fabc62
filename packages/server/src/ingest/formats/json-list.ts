import { Assembler } from 'stream-json/assembler.js'
import { jsonParser, type Token } from 'stream-json/core/parser.js'
import type { Rejection } from '../../domain/import.ts'
import { UnreadableInput } from '../input.ts'
import type { Fields, Row } from '../row.ts'
import { lineTooLong } from './ndjson.ts'

/** Maximum size of an element. Larger than the limit for a line of NDJSON, because an outline may have many points. */
export const maxElementBytes = 16 * 1024 * 1024

/** Maximum depth of an element: functions that follow a deeper one run out of stack. */
const maxElementDepth = 100

export interface JsonListOptions {
  /** Name of the input, for messages. */
  readonly name: string
  /** Member of the document that is the list. */
  readonly list: string
  /** Format that the document claims to be, for messages. */
  readonly format: string
  /** Called with each member of the document, except the list, whose value is a string. May throw UnreadableInput. */
  readonly onMember?: (name: string, value: string) => void
}

/**
 * Reads the objects of a list in a JSON document of any size as a stream; rows are numbered by element. An element that
 * is too large or too deep is rejected. Throws UnreadableInput at invalid JSON, after yielding the elements before it.
 */
export async function* readJsonList(chunks: AsyncIterable<Buffer>, options: JsonListOptions): AsyncGenerator<Row> {
  const { name, list, format } = options
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const parse = jsonParser({ streamValues: false })
  const elements = new ListAssembler(options)
  const unit = format === 'GeoJSON' ? 'feature' : 'element'
  const invalid = (reason: string) =>
    new UnreadableInput(`${name} is not valid ${format} at ${unit} ${elements.count}: ${reason}.`)
  for await (const chunk of chunks) {
    let tokens: readonly Token[]
    try {
      const out = parse(decoder.decode(chunk, { stream: true }))
      tokens = typeof out === 'object' && 'values' in out ? out.values : []
    } catch (error) {
      throw invalid((error as Error).message)
    }
    yield* elements.read(tokens)
  }
  if (!elements.isClosed) throw invalid('the file ends before the collection does')
  if (!elements.isFound) throw new UnreadableInput(`${name} is not ${format}: it has no list "${list}".`)
}

/** Assembles the members of a list from the tokens of a document. */
class ListAssembler {
  readonly #options: JsonListOptions
  /** Number of elements that have started. */
  count = 0
  /** True after the start of the list. */
  isFound = false
  /** True after the end of the document. */
  isClosed = false
  #depth = 0
  #key = ''
  #isInList = false
  #assembler: Assembler | undefined
  #size = 0
  #isTooDeep = false

  constructor(options: JsonListOptions) {
    this.#options = options
  }

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
      else if (token.name === 'startArray' && this.#key === this.#options.list) {
        this.#isInList = true
        this.isFound = true
      } else if (token.name === 'stringValue') this.#options.onMember?.(this.#key, token.value)
    }
    if (isEnd && this.#depth === 0) this.isClosed = true
    if (isStart) this.#depth++
    return undefined
  }

  /** Yields the rows of elements that end in these tokens. */
  *read(tokens: readonly Token[]): Generator<Row> {
    for (const token of tokens) {
      const row = this.#readToken(token)
      if (row) yield row
    }
  }

  /** Reads a token of the list or of an element in it; `#depth` is 2 between elements. */
  #readInList(token: Token, isStart: boolean): Row | undefined {
    const isOuter = this.#depth === 2
    if (isOuter && (isStart || this.#assembler === undefined)) {
      this.count++
      this.#assembler = new Assembler()
      this.#size = 0
      this.#isTooDeep = false
    }
    this.#size += 'value' in token ? String(token.value).length + 4 : 1
    if (this.#depth > maxElementDepth + 1) this.#isTooDeep = true
    if (this.#size <= maxElementBytes && !this.#isTooDeep) this.#assembler!.consume(withExactInteger(token))
    if (!isOuter || isStart) return undefined
    const value = this.#assembler!.current
    this.#assembler = undefined
    if (this.#isTooDeep) return { ...this.#row(''), rejection: tooDeep }
    return this.#size > maxElementBytes
      ? { ...this.#row(''), rejection: lineTooLong(maxElementBytes) }
      : this.#element(value)
  }

  #element(value: unknown): Row {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { ...this.#row(value), record: value as Fields }
    }
    return { ...this.#row(value), rejection: { reason: 'not_an_object', detail: 'The element is not a JSON object.' } }
  }

  #row(value: unknown) {
    return { line: this.count, text: () => JSON.stringify(value) }
  }
}

const tooDeep: Rejection = {
  reason: 'invalid_json',
  detail: `The element has objects or lists within one another at more than ${maxElementDepth} levels.`,
}

/** Converts an integer that a double cannot represent to a string of its digits. */
function withExactInteger(token: Token): Token {
  if (token.name !== 'numberValue' || !/^-?\d{16,}$/.test(token.value) || Number.isSafeInteger(Number(token.value)))
    return token
  return { name: 'stringValue', value: token.value }
}
