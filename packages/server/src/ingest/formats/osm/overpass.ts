import { UnreadableInput } from '../../input.ts'
import { type Tags, toTags } from '../../mapping/osm/osm-category.ts'
import type { Fields, Row } from '../../row.ts'
import { type Position, toPoint } from '../geometry.ts'
import { readJsonList } from '../json-list.ts'
import { type ElementCount, elementRow } from './element-row.ts'
import { middleOf, pointOfWay, sampleRefs } from './outline.ts'

/** Maximum number of nodes whose points are kept for ways that name their nodes only. */
const maxNodes = 2_000_000

/** An element in the JSON of Overpass (wiki.openstreetmap.org/wiki/OSM_JSON). */
interface Element {
  readonly type: string
  readonly id: string
  readonly tags: Tags
  readonly fields: Fields
}

/**
 * Reads the elements of an answer of Overpass. Ways that only name their nodes wait for these until the end. Throws
 * UnreadableInput at invalid JSON, and if the server stopped before the end of its answer.
 */
export async function* readOverpass(
  chunks: AsyncIterable<Buffer>,
  name: string,
  counts: ElementCount,
): AsyncGenerator<Row> {
  const nodes = new Map<number, Position>()
  const waiting: { readonly line: number; readonly element: Element }[] = []
  const onMember = (member: string, value: string) => {
    if (member === 'remark' && /error/i.test(value))
      throw new UnreadableInput(`${name} is incomplete: Overpass has stopped with "${value.trim()}".`)
  }
  for await (const row of readJsonList(chunks, { name, list: 'elements', format: 'Overpass JSON', onMember })) {
    if (row.rejection || !row.record) {
      yield row
      continue
    }
    const element = toElement(row.record)
    const point = pointOf(element)
    if (element.type === 'node' && point && nodes.size < maxNodes) nodes.set(Number(element.fields.id), point)
    if (!counts.isPlace(element.tags)) continue
    if (point === undefined && Array.isArray(element.fields.nodes)) waiting.push({ line: row.line, element })
    else yield elementRow(row.line, element.id, element.tags, point)
  }
  for (const { line, element } of waiting) {
    const refs = element.fields.nodes as readonly number[]
    const points = sampleRefs(refs).map(ref => nodes.get(ref))
    yield elementRow(line, element.id, element.tags, pointOfWay(points, refs[0] === refs.at(-1)))
  }
}

function toElement(fields: Fields): Element {
  const type = String(fields.type)
  return { type, id: `${type}/${String(fields.id)}`, tags: toTags(fields.tags), fields }
}

/** Returns the point that an element has itself: its coordinates, centre, outline or bounds. */
function pointOf({ fields }: Element): Position | undefined {
  const { lat, lon, center, geometry, bounds } = fields
  const own = toPosition({ lat, lon }) ?? toPosition(center)
  if (own) return own
  if (Array.isArray(geometry) && geometry.length > 0) {
    const points = geometry.map(toPosition)
    const [first, last] = [points[0], points.at(-1)]
    return pointOfWay(points, first?.[0] === last?.[0] && first?.[1] === last?.[1])
  }
  if (typeof bounds !== 'object' || bounds === null) return undefined
  const { minlat, minlon, maxlat, maxlon } = bounds as Fields
  const corners = [toPosition({ lat: minlat, lon: minlon }), toPosition({ lat: maxlat, lon: maxlon })]
  return middleOf(corners.filter(corner => corner !== undefined))
}

function toPosition(value: unknown): Position | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { lat, lon } = value as Fields
  return toPoint({ type: 'Point', coordinates: [lon, lat] })
}
