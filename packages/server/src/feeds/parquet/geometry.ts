/** Smallest rectangle around points. */
export interface Box {
  xmin: number
  ymin: number
  xmax: number
  ymax: number
}

/** Returns a point in little-endian WKB (OGC 06-103r4). */
export function toWkb(longitude: number, latitude: number): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(21)
  bytes.writeUInt8(1, 0)
  bytes.writeUInt32LE(1, 1)
  bytes.writeDoubleLE(longitude, 5)
  bytes.writeDoubleLE(latitude, 13)
  return bytes
}

/** Returns the box of one more point. */
export const extendBox = (box: Box | undefined, point: Box): Box =>
  box === undefined
    ? point
    : {
        xmin: Math.min(box.xmin, point.xmin),
        ymin: Math.min(box.ymin, point.ymin),
        xmax: Math.max(box.xmax, point.xmax),
        ymax: Math.max(box.ymax, point.ymax),
      }

/** Returns the value of the key `geo` of a file (GeoParquet 1.1). The coordinates are in OGC:CRS84, its default. */
export const createGeoMetadata = (box: Box | undefined): string =>
  JSON.stringify({
    version: '1.1.0',
    primary_column: 'geometry',
    columns: {
      geometry: {
        encoding: 'WKB',
        geometry_types: ['Point'],
        ...(box && { bbox: [box.xmin, box.ymin, box.xmax, box.ymax] }),
        covering: {
          bbox: { xmin: ['bbox', 'xmin'], ymin: ['bbox', 'ymin'], xmax: ['bbox', 'xmax'], ymax: ['bbox', 'ymax'] },
        },
      },
    },
  })
