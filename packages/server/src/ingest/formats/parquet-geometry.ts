import type { FileMetaData } from 'hyparquet'
import { wkbToGeojson } from 'hyparquet/src/wkb.js'

/** Names of columns that contain geometry even if the schema does not declare it. */
const geometryNames = new Set(['geometry', 'geom', 'the_geom', 'wkb_geometry'])

/** Marks the columns that contain geometry by their name, so that the library converts them. */
export function markGeometry({ schema }: FileMetaData): void {
  for (const element of schema) {
    const isBytes = element.type === 'BYTE_ARRAY' && !element.logical_type && !element.converted_type
    if (isBytes && geometryNames.has(element.name.toLowerCase())) element.logical_type = { type: 'GEOMETRY' }
  }
}

/** Converts well-known binary to GeoJSON; undefined for invalid bytes, so that one bad row does not fail the column. */
export function geometryFromBytes(bytes: Uint8Array): unknown {
  try {
    return wkbToGeojson({ view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 })
  } catch {
    return undefined
  }
}
