import type { Polygon } from '../../domain/polygon.ts'
import { Type } from '../../kit/json-schema.ts'
import { createSingle, InvalidParameter, type Param, type ParamDocs } from './param.ts'
import { parsePolygon } from './requests/parse-polygon.ts'

/** Creates a parameter for a GeoJSON Polygon or MultiPolygon as text. */
export const polygonParam = (options: ParamDocs): Param<readonly Polygon[] | undefined> =>
  createSingle(options, Type.String({ minLength: 1 }), text => {
    const polygons = parsePolygon(text)
    return typeof polygons === 'string' ? new InvalidParameter(polygons, text) : polygons
  })
