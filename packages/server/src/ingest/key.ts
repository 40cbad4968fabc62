import type { ExternalKey } from '../domain/record-write.ts'
import type { FieldReader } from './field-reader.ts'

/** Reads the key of a record: `id`, or `source` and `source_id`, or both (rulings: Import format). */
export function readKey(fields: FieldReader, defaultSource: string): ExternalKey | undefined {
  const id = fields.id('id')
  const source = fields.text('source') ?? defaultSource
  const sourceId = fields.text('source_id')
  if (id === undefined && sourceId === undefined) {
    return fields.reject('id', 'missing_key', 'is missing and so is source_id; one of them is required')
  }
  return { source, ...(sourceId !== undefined && { sourceId }), ...(id !== undefined && { id }) }
}
