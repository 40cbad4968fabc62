import { deflateSync } from 'node:zlib'

type Tags = Readonly<Record<string, string>>

export interface MapElements {
  readonly nodes: readonly { readonly id: number; readonly lon: number; readonly lat: number; readonly tags?: Tags }[]
  readonly ways?: readonly { readonly id: number; readonly refs: readonly number[]; readonly tags: Tags }[]
  readonly relations?: readonly { readonly id: number; readonly ways: readonly number[]; readonly tags: Tags }[]
}

function varint(value: number): Buffer {
  // Negative numbers are 2^64 more. Doubles are not exact there, but these are long enough.
  const bytes: number[] = []
  let rest = value >= 0 ? value : 2 ** 64 - 2 ** 11
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Buffer.from([...bytes, rest])
}
const zigzag = (value: number) => varint(value >= 0 ? value * 2 : -value * 2 - 1)
const number = (field: number, value: number) => Buffer.concat([varint(field * 8), varint(value)])
const bytes = (field: number, value: Buffer) => Buffer.concat([varint(field * 8 + 2), varint(value.length), value])
const packed = (field: number, values: readonly Buffer[]) => bytes(field, Buffer.concat(values))
const deltas = (values: readonly number[]) => values.map((value, i) => zigzag(value - (values[i - 1] ?? 0)))

/** Encodes elements as an OpenStreetMap file in the format PBF: one block of a header, and one for each kind. */
export function osmPbf({ nodes, ways = [], relations = [] }: MapElements): Buffer {
  const strings = ['']
  const string = (text: string) => {
    const known = strings.indexOf(text)
    return known >= 0 ? known : strings.push(text) - 1
  }
  const tagLists = (tags: Tags) => [
    packed(
      2,
      Object.keys(tags).map(key => varint(string(key))),
    ),
    packed(
      3,
      Object.values(tags).map(value => varint(string(value))),
    ),
  ]
  const units = (degrees: number) => Math.round(degrees * 1e7)
  const pairs = nodes.flatMap(({ tags = {} }) => [...Object.entries(tags).flat().map(string), 0])
  const dense = Buffer.concat([
    packed(1, deltas(nodes.map(({ id }) => id))),
    packed(8, deltas(nodes.map(({ lat }) => units(lat)))),
    packed(9, deltas(nodes.map(({ lon }) => units(lon)))),
    packed(10, pairs.map(varint)),
  ])
  const wayMessages = ways.map(({ id, refs, tags }) =>
    Buffer.concat([number(1, id), ...tagLists(tags), packed(8, deltas(refs))]),
  )
  const relationMessages = relations.map(({ id, ways: members, tags }) =>
    Buffer.concat([
      number(1, id),
      ...tagLists(tags),
      packed(
        8,
        members.map(() => varint(0)),
      ),
      packed(9, deltas(members)),
      packed(
        10,
        members.map(() => varint(1)),
      ),
    ]),
  )
  const groups = [
    [bytes(2, dense)],
    wayMessages.map(message => bytes(3, message)),
    relationMessages.map(message => bytes(4, message)),
  ]
  const table = bytes(1, Buffer.concat(strings.map(text => bytes(1, Buffer.from(text)))))
  const blocks = groups.flatMap(group =>
    group.length > 0 ? [blob('OSMData', Buffer.concat([table, bytes(2, Buffer.concat(group))]))] : [],
  )
  return Buffer.concat([blob('OSMHeader', bytes(4, Buffer.from('DenseNodes'))), ...blocks])
}

function blob(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([number(2, data.length), bytes(3, deflateSync(data))])
  const header = Buffer.concat([bytes(1, Buffer.from(type)), number(3, content.length)])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(header.length)
  return Buffer.concat([length, header, content])
}
