import type { SchemaElement } from 'hyparquet'
import type { ColumnType, ScalarKind } from './column-type.ts'

const scalars: Readonly<Record<ScalarKind, Omit<SchemaElement, 'name' | 'repetition_type'>>> = {
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  // Readers that know no JSON would show a column of JSON as bytes.
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  int64: { type: 'INT64' },
  double: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  date: { type: 'INT32', converted_type: 'DATE' },
  timestamp: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  wkb: { type: 'BYTE_ARRAY' },
}

/** Returns the elements of a column in the schema of a Parquet file, depth first. */
export function toElements(
  name: string,
  type: ColumnType,
  repetition_type: 'REQUIRED' | 'OPTIONAL' = 'OPTIONAL',
): SchemaElement[] {
  if (type.kind === 'list')
    return [
      { name, repetition_type, num_children: 1, converted_type: 'LIST' },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      ...toElements('element', type.of),
    ]
  if (type.kind === 'struct')
    return [
      { name, repetition_type, num_children: type.members.length },
      ...type.members.flatMap(([member, of]) => toElements(member, of, repetition_type)),
    ]
  return [{ name, repetition_type, ...scalars[type.kind] }]
}
