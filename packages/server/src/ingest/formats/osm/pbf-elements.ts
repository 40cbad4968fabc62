import { Wire } from './wire.ts'

/** Kinds of elements, and the numbers of their fields in a group of a block. */
export type ElementKind = 'node' | 'way' | 'relation'

export type Tags = Record<string, string>

export interface PbfNode {
  readonly id: number
  readonly lon: number
  readonly lat: number
  /** Undefined without tags. */
  readonly tags: Tags | undefined
}

export interface PbfWay {
  readonly id: number
  readonly tags: Tags
  readonly refs: readonly number[]
}

export interface PbfRelation {
  readonly id: number
  readonly tags: Tags
  readonly members: readonly { readonly id: number; readonly kind: ElementKind }[]
}

const memberKinds: readonly ElementKind[] = ['node', 'way', 'relation']

/** Maximum length of a list of a block; files have thousands of items. A bomb may have a thousand for each byte. */
const maxItems = 1_000_000

/** An element with a negative id: an editor gives such ids to objects that it has not uploaded. */
export class UnstableId extends Error {}

/** A block of elements (wiki.openstreetmap.org/wiki/PBF_Format). Its strings are decoded when they are used. */
export class PbfBlock {
  readonly #strings: (string | Uint8Array)[] = []
  readonly #groups: Wire[] = []
  #granularity = 100
  #latOffset = 0
  #lonOffset = 0

  constructor(data: Uint8Array) {
    const block = new Wire(data)
    for (let field = block.next(); field > 0; field = block.next()) {
      if (field === 1) this.#readStrings(block.message())
      else if (field === 2) this.#groups.push(block.message())
      else if (field === 17) this.#granularity = block.varint()
      else if (field === 19) this.#latOffset = block.varint()
      else if (field === 20) this.#lonOffset = block.varint()
      else block.skip()
    }
  }

  /** Returns the kinds of elements in the block. */
  kinds(): Set<ElementKind> {
    const kinds = new Set<ElementKind>()
    for (const { bytes, at, end } of this.#groups) {
      const field = new Wire(bytes, at, end).next()
      if (field > 0) kinds.add(field <= 2 ? 'node' : field === 3 ? 'way' : 'relation')
    }
    return kinds
  }

  /** Calls `onNode` with each node. */
  nodes(onNode: (node: PbfNode) => void): void {
    for (const [field, message] of this.#messages(1, 2)) {
      if (field === 2) this.#readDense(message, onNode)
      else onNode(this.#readNode(message))
    }
  }

  *ways(): Generator<PbfWay> {
    for (const [, message] of this.#messages(3)) {
      let id = 0
      const [keys, values, refs]: number[][] = [[], [], []]
      for (let field = message.next(); field > 0; field = message.next()) {
        if (field === 1) id = readId(message)
        else if (field === 2) readNumbers(message.message(), keys!)
        else if (field === 3) readNumbers(message.message(), values!)
        else if (field === 8) readDeltas(message.message(), refs!)
        else message.skip()
      }
      yield { id, tags: this.#tags(keys!, values!), refs: refs! }
    }
  }

  *relations(): Generator<PbfRelation> {
    for (const [, message] of this.#messages(4)) {
      let id = 0
      const [keys, values, ids, kinds]: number[][] = [[], [], [], []]
      for (let field = message.next(); field > 0; field = message.next()) {
        if (field === 1) id = readId(message)
        else if (field === 2) readNumbers(message.message(), keys!)
        else if (field === 3) readNumbers(message.message(), values!)
        else if (field === 9) readDeltas(message.message(), ids!)
        else if (field === 10) readNumbers(message.message(), kinds!)
        else message.skip()
      }
      const members = ids!.map((member, i) => ({ id: member, kind: memberKinds[kinds![i]!] ?? 'relation' }))
      yield { id, tags: this.#tags(keys!, values!), members }
    }
  }

  *#messages(...fields: readonly number[]): Generator<[field: number, message: Wire]> {
    for (const { bytes, at, end } of this.#groups) {
      const group = new Wire(bytes, at, end)
      for (let field = group.next(); field > 0; field = group.next()) {
        if (fields.includes(field)) yield [field, group.message()]
        else group.skip()
      }
    }
  }

  #readNode(message: Wire): PbfNode {
    let [id, lat, lon] = [0, 0, 0]
    const [keys, values]: number[][] = [[], []]
    for (let field = message.next(); field > 0; field = message.next()) {
      if (field === 1) id = checkId(message.signed())
      else if (field === 2) readNumbers(message.message(), keys!)
      else if (field === 3) readNumbers(message.message(), values!)
      else if (field === 8) lat = message.signed()
      else if (field === 9) lon = message.signed()
      else message.skip()
    }
    const tags = keys!.length > 0 ? this.#tags(keys!, values!) : undefined
    return { id, lat: this.#degrees(lat, this.#latOffset), lon: this.#degrees(lon, this.#lonOffset), tags }
  }

  /** Reads nodes as columns of differences; their tags are pairs of strings, with a zero after each node. */
  #readDense(message: Wire, onNode: (node: PbfNode) => void): void {
    const lists = new Map<number, Wire>()
    for (let field = message.next(); field > 0; field = message.next()) {
      if ([1, 8, 9, 10].includes(field)) lists.set(field, message.message())
      else message.skip()
    }
    const [ids, lats, lons, pairs] = [1, 8, 9, 10].map(field => lists.get(field))
    if (!ids || !lats || !lons) return
    let [id, lat, lon] = [0, 0, 0]
    while (ids.at < ids.end) {
      id = checkId(id + ids.signed())
      lat += lats.signed()
      lon += lons.signed()
      let tags: Tags | undefined
      for (let key = pairs && pairs.at < pairs.end ? pairs.varint() : 0; key !== 0; key = pairs!.varint()) {
        tags ??= {}
        tags[this.#string(key)] = this.#string(pairs!.varint())
      }
      onNode({ id, lat: this.#degrees(lat, this.#latOffset), lon: this.#degrees(lon, this.#lonOffset), tags })
    }
  }

  #degrees(value: number, offset: number): number {
    return Number(((offset + this.#granularity * value) / 1e9).toFixed(7))
  }

  #readStrings(table: Wire): void {
    for (let field = table.next(); field > 0; field = table.next()) {
      if (field === 1) add(this.#strings, table.data())
      else table.skip()
    }
  }

  #string(i: number): string {
    const string = this.#strings[i]
    if (typeof string === 'string') return string
    if (string === undefined) throw new RangeError('a text is missing')
    const text = Buffer.from(string.buffer, string.byteOffset, string.length).toString()
    this.#strings[i] = text
    return text
  }

  #tags(keys: readonly number[], values: readonly number[]): Tags {
    return Object.fromEntries(keys.map((key, i) => [this.#string(key), this.#string(values[i] ?? -1)]))
  }
}

/** Adds an item to a list. Throws RangeError for a list that is too long. */
function add<T>(list: T[], item: T): void {
  if (list.length === maxItems) throw new RangeError('a block has too many items')
  list.push(item)
}

function readNumbers(list: Wire, into: number[]): void {
  while (list.at < list.end) add(into, list.varint())
}

function readDeltas(list: Wire, into: number[]): void {
  let value = 0
  while (list.at < list.end) {
    value += list.signed()
    add(into, value)
  }
}

/** Reads the id of a way or a relation, an int64: negative ones are 2^64 more. */
const readId = (message: Wire): number => checkId(message.varint())

/** Throws UnstableId for an id that is negative as an int64. */
function checkId(id: number): number {
  if (id < 0 || id >= 2 ** 63) throw new UnstableId()
  return id
}
