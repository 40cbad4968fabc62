import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { FieldMapping } from '../../domain/import.ts'
import type { ImportFields } from '../../domain/importer.ts'

/** Checks that columns are mapped to fields of records, and each field once. */
export function checkFields(imports: ImportFields, fields: readonly FieldMapping[]): AdminFault | undefined {
  const unknown = fields.find(({ field }) => !imports.isField(field))
  if (unknown) return adminFault('field_unknown', ['fields'], { field: unknown.field, known: imports.fields })
  const repeated = fields.find(({ field }, i) => fields.findIndex(one => one.field === field) !== i)
  return repeated && adminFault('field_repeated', ['fields'], { field: repeated.field })
}
