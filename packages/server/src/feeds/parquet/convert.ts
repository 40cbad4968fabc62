import { stringifyLongJson } from '../../kit/long-json.ts'
import type { ColumnType } from './column-type.ts'

type Convert = (value: unknown) => unknown

const dayMs = 86_400_000

/** Converters of the kinds whose JSON values are not the values of the file. */
const scalarConverters: Readonly<Partial<Record<ColumnType['kind'], Convert>>> = {
  json: stringifyLongJson,
  int64: value => BigInt(value as number | bigint),
  date: value => Date.parse(value as string) / dayMs,
  timestamp: value => BigInt(Date.parse(value as string)),
}

/** Returns the function that converts JSON values of a type; undefined if they stay as they are. */
export function createConverter(type: ColumnType): Convert | undefined {
  const convert = createPresentConverter(type)
  return convert && (value => (value === null || value === undefined ? undefined : convert(value)))
}

function createPresentConverter(type: ColumnType): Convert | undefined {
  if (type.kind === 'list') {
    const convert = createConverter(type.of)
    return convert && (value => (value as unknown[]).map(convert))
  }
  if (type.kind === 'struct') {
    const members = type.members.flatMap(([name, of]) => {
      const convert = createConverter(of)
      return convert ? [[name, convert] as const] : []
    })
    if (members.length === 0) return undefined
    return value => {
      const converted = { ...(value as Record<string, unknown>) }
      for (const [name, convert] of members) converted[name] = convert(converted[name])
      return converted
    }
  }
  return scalarConverters[type.kind]
}
