import { type FileHandle, open } from 'node:fs/promises'
import type { ImportInput } from '../../../domain/import.ts'
import { UnreadableInput } from '../../input.ts'
import { isOsmPlace } from '../../mapping/osm/osm.ts'
import type { Row } from '../../row.ts'
import type { Position } from '../geometry.ts'
import { type ElementCount, elementRow } from './element-row.ts'
import { NodePoints } from './node-points.ts'
import { middleOf, pointOfWay, sampleRefs } from './outline.ts'
import { type BlockPosition, listBlocks, readBlock } from './pbf-blocks.ts'
import { type ElementKind, PbfBlock, type PbfRelation, type PbfWay, UnstableId } from './pbf-elements.ts'

interface IndexedBlock extends BlockPosition {
  readonly kinds: ReadonlySet<ElementKind>
}

/** Opens an OpenStreetMap file in the format PBF. Throws UnreadableInput for standard input and for a damaged file. */
export async function openPbf(
  input: ImportInput,
  counts: ElementCount,
): Promise<{ readonly rows: AsyncGenerator<Row>; close(): Promise<void> }> {
  const { path, totalBytes } = input
  if (path === undefined || totalBytes === undefined) {
    throw new UnreadableInput('OpenStreetMap PBF is read in several passes. Save it as a file first and import that.')
  }
  const file = await open(path)
  const reader = new PbfReader(file, totalBytes, counts)
  const rows = checked(
    reader.rows(bytes => input.addReadBytes(bytes)),
    input.name,
  )
  return { rows, close: () => file.close() }
}

async function* checked(rows: AsyncGenerator<Row>, name: string): AsyncGenerator<Row> {
  try {
    yield* rows
  } catch (error) {
    if (error instanceof UnstableId)
      throw new UnreadableInput(
        `${name} has elements with negative ids, which editors give to objects that are not uploaded and which change with each file. ` +
          `Upload them first, or run 'osmium renumber ${name} -o renumbered.osm.pbf' and import that.`,
      )
    const isDamage = error instanceof RangeError || (error as NodeJS.ErrnoException).code?.startsWith('Z')
    if (!isDamage) throw error
    throw new UnreadableInput(`${name} is incomplete, damaged, or compressed again (${(error as Error).message}).`)
  }
}

/**
 * Reads the places of a file in passes: relations name the ways that they need, ways the nodes, and then each pass sets
 * the points that the next one needs. Memory: the points of at most 10 million nodes, and one block.
 */
class PbfReader {
  readonly #file: FileHandle
  readonly #fileBytes: number
  readonly #counts: ElementCount
  readonly #points = new NodePoints()
  /** Points of the ways that relations need. */
  readonly #ways = new Map<number, Position | undefined>()
  #blocks: readonly IndexedBlock[] = []

  constructor(file: FileHandle, fileBytes: number, counts: ElementCount) {
    this.#file = file
    this.#fileBytes = fileBytes
    this.#counts = counts
  }

  async *rows(onBytes: (bytes: number) => void): AsyncGenerator<Row> {
    await this.#findMembers()
    await this.#findNodes()
    for await (const block of this.#read('node', onBytes)) {
      const rows: Row[] = []
      block.nodes(({ id, lon, lat, tags }) => {
        this.#points.set(id, lon, lat)
        if (this.#counts.isPlace(tags)) rows.push(this.#row(`node/${id}`, tags, [lon, lat]))
      })
      yield* rows
    }
    for await (const block of this.#read('way', onBytes)) {
      for (const way of block.ways()) yield* this.#wayRow(way)
    }
    for await (const block of this.#read('relation', onBytes)) {
      for (const relation of block.relations()) {
        if (this.#counts.isPlace(relation.tags))
          yield this.#row(`relation/${relation.id}`, relation.tags, this.#pointOf(relation))
      }
    }
  }

  /** Lists the blocks, and finds the members of relations that are places. */
  async #findMembers(): Promise<void> {
    const blocks: IndexedBlock[] = []
    const nodes: number[] = []
    for await (const position of listBlocks(this.#file, this.#fileBytes)) {
      if (position.type !== 'OSMData') continue
      const block = new PbfBlock(await readBlock(this.#file, position))
      blocks.push({ ...position, kinds: block.kinds() })
      for (const { tags, members } of block.relations()) {
        if (!isOsmPlace(tags)) continue
        for (const { id, kind } of members) {
          if (kind === 'way') this.#ways.set(id, undefined)
          else if (kind === 'node') nodes.push(id)
        }
      }
    }
    this.#blocks = blocks
    for (let i = 0; i < nodes.length; i += 1000) this.#points.add(nodes.slice(i, i + 1000))
  }

  /** Finds the nodes of the ways that are places or members of relations. */
  async #findNodes(): Promise<void> {
    for await (const block of this.#read('way')) {
      for (const { id, tags, refs } of block.ways())
        if (this.#ways.has(id) || isOsmPlace(tags)) this.#points.add(sampleRefs(refs))
    }
    this.#points.seal()
  }

  *#wayRow({ id, tags, refs }: PbfWay): Generator<Row> {
    const isMember = this.#ways.has(id)
    const isPlace = this.#counts.isPlace(tags)
    if (!isMember && !isPlace) return
    const isClosed = refs.length > 3 && refs[0] === refs.at(-1)
    const point = pointOfWay(
      sampleRefs(refs).map(ref => this.#points.get(ref)),
      isClosed,
    )
    if (isMember) this.#ways.set(id, point)
    if (isPlace) yield this.#row(`way/${id}`, tags, point)
  }

  #pointOf({ members }: PbfRelation): Position | undefined {
    const points = members.map(({ id, kind }) => (kind === 'way' ? this.#ways.get(id) : this.#points.get(id)))
    return middleOf(points.filter(point => point !== undefined))
  }

  #row(id: string, tags: Readonly<Record<string, string>>, point: Position | undefined): Row {
    return elementRow(this.#counts.count, id, tags, point)
  }

  async *#read(kind: ElementKind, onBytes?: (bytes: number) => void): AsyncGenerator<PbfBlock> {
    for (const position of this.#blocks) {
      if (!position.kinds.has(kind)) continue
      yield new PbfBlock(await readBlock(this.#file, position))
      onBytes?.(position.bytes)
    }
  }
}
