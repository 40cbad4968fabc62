import type { EnumValuesInUse } from '../../domain/enum-value.ts'
import type { Category, Location } from '../../domain/location.ts'
import type { PostgresSession } from './pool.ts'

/** True for records that PostgreSQL cannot read as JSON, because its texts have no character for NUL. */
const isOpaque = `strpos(record, '\\u0000') > 0`

const categories = `
  SELECT min(used.value::text COLLATE "C") AS value FROM locations,
    json_array_elements(CASE WHEN NOT ${isOpaque} THEN record::json -> 'categories' END) AS used
  GROUP BY used.value ->> 'id'`

const subratingTypes = `
  SELECT DISTINCT used.value ->> 'type' AS value FROM locations,
    json_array_elements(CASE WHEN strpos(record, '"subratings"') > 0 AND NOT ${isOpaque}
      THEN record::json -> 'ownRatings' -> 'subratings' END) AS used
  UNION SELECT used.value FROM locations, json_object_keys(totals::json -> 'subratings') AS used (value)`

/** Reads the categories and subrating types that records use. */
export async function readEnumValues(session: PostgresSession): Promise<EnumValuesInUse> {
  const texts = await session.query<{ value: string }>(categories)
  const types = await session.query<{ value: string }>(subratingTypes)
  const opaque = await session.query<{ record: string }>(`SELECT record FROM locations WHERE ${isOpaque}`)
  const others = opaque.map(({ record }) => session.json.parseJson<Location>(record))
  const used = new Map<string, Category>()
  for (const category of others.flatMap(location => location.categories)) used.set(category.id, category)
  for (const { value } of texts) {
    const category = session.json.parseJson<Category>(value)
    used.set(category.id, category)
  }
  const inOthers = others.flatMap(({ ownRatings }) => ownRatings?.subratings?.map(({ type }) => type) ?? [])
  return {
    categories: [...used.values()],
    subratingTypes: [...new Set([...types.map(({ value }) => value), ...inOthers])],
  }
}
