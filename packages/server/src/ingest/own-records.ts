import type { ImportInput } from '../domain/import.ts'
import { readCsv } from './formats/csv.ts'
import { readDialect } from './formats/csv-dialect.ts'
import { readNdjson } from './formats/ndjson.ts'
import { openDecoded } from './formats/open-text.ts'
import { UnclearInput } from './mapping/mapping.ts'
import type { Fields } from './row.ts'

/** A row of a file of own records: the values of its fields as text, or the reason why it cannot be read. */
export type OwnRow =
  | { readonly line: number; readonly fields: Readonly<Record<string, string>> }
  | { readonly line: number; readonly problem: string }

/** Other names of the fields of own records, in the order of preference. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  name: ['name', 'title'],
  lat: ['lat', 'latitude'],
  lon: ['lon', 'lng', 'longitude'],
  address: ['address', 'street', 'street_address'],
  postal_code: ['postal_code', 'postcode', 'zip', 'zip_code'],
  city: ['city', 'town', 'locality'],
  country_code: ['country_code', 'country'],
  phone: ['phone', 'phone_number', 'telephone', 'tel'],
  external_id: ['external_id'],
  category_id: ['category_id', 'category'],
}

/** Fields whose names are sources of ids. */
const idFields = ['wikidata', 'iata', 'icao']

/** Reads the rows of an NDJSON or CSV file, gzipped or not. Throws UnreadableInput and UnclearInput. */
export async function* readOwnRecords(input: ImportInput): AsyncGenerator<OwnRow> {
  const { format, head, isComplete, chunks, close } = await openDecoded(input, undefined)
  try {
    if (format !== 'csv' && format !== 'ndjson')
      throw new UnclearInput('unknown_kind', `${input.name} is neither NDJSON nor CSV.`)
    const rows = format === 'csv' ? readCsv(chunks, readDialect(head, isComplete, undefined, [])) : readNdjson(chunks)
    for await (const { line, record, rejection } of rows)
      yield record === undefined || rejection
        ? { line, problem: rejection!.detail }
        : { line, fields: fieldsOf(record) }
  } finally {
    await close()
  }
}

function fieldsOf(row: Fields): Readonly<Record<string, string>> {
  const byName = new Map(Object.entries(row).map(([name, value]) => [name.trim().toLowerCase(), value]))
  const read = (name: string): string | undefined => {
    const value = byName.get(name)
    const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : ''
    return text === '' ? undefined : text
  }
  const fields: Record<string, string> = {}
  for (const [field, names] of Object.entries(aliases)) {
    const value = names.map(read).find(one => one !== undefined)
    if (value !== undefined) fields[field] = value
  }
  const id = idFields.find(name => read(name) !== undefined)
  if (id !== undefined) fields.external_id ??= `${id}:${read(id)}`
  return fields
}
