import type { Rejection } from '../../../domain/import.ts'
import { isOsmPlace } from '../../mapping/osm/osm.ts'
import { type Tags, toTags } from '../../mapping/osm/osm-category.ts'
import type { Row } from '../../row.ts'
import type { Position } from '../geometry.ts'

/** Counts the elements with tags, and those of them that are not places. */
export class ElementCount {
  count = 0
  skipped = 0

  /** Counts an element; true if it is a place. */
  isPlace(tags: Tags | undefined): tags is Tags {
    this.count++
    if (tags === undefined || isEmpty(tags)) return false
    if (isOsmPlace(tags)) return true
    this.skipped++
    return false
  }
}

/** Returns the rows of features that are places, and those that are rejected. */
export async function* placesOf(features: AsyncIterable<Row>, counts: ElementCount): AsyncGenerator<Row> {
  for await (const row of features) {
    const isElement = !row.rejection && row.record?.type === 'Feature'
    if (!isElement || counts.isPlace(toTags(row.record?.properties))) yield row
  }
}

function isEmpty(tags: Tags): boolean {
  for (const _ in tags) return false
  return true
}

/** Returns the row of an element, in the form of a feature. Without a point it is rejected. */
export function elementRow(line: number, id: string, tags: Tags, point: Position | undefined): Row {
  const text = () => JSON.stringify({ id, tags })
  const geometry = point && { type: 'Point', coordinates: point }
  // Anyone can give an element a tag of these names.
  const record = { ...tags, '@id': id, '@geometry': geometry }
  return point ? { line, text, record } : { line, text, record, rejection: noPoint }
}

const noPoint: Rejection = {
  reason: 'unsupported_geometry',
  field: 'geometry',
  detail:
    'The nodes of this element are not in the file, or too many are needed. Export it with its centre (out center).',
}
