import type { ImportFields } from '../domain/importer.ts'
import { isField, listFields } from '../ingest/mapping/column-names.ts'

/** The fields of locations and reviews. */
export const importFields: ImportFields = {
  fields: [...new Set([...listFields('location'), ...listFields('review')])].sort(),
  isField: name => isField(name, 'location') || isField(name, 'review'),
}
