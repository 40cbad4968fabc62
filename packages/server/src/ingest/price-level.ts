import { type PriceLevel, priceLevels } from '../domain/location.ts'
import type { FieldReader } from './field-reader.ts'

/** Reads a price level: its name, 1 to 4, or one to four currency signs. Amounts are ignored (rulings: Operations). */
export function readPriceLevel(fields: FieldReader): PriceLevel | undefined {
  return readLevel(fields, 'price_level') ?? readLevel(fields, 'price')
}

function readLevel(fields: FieldReader, name: string): PriceLevel | undefined {
  const text = fields.text(name)?.trim()
  if (text === undefined) return undefined
  const named = priceLevels.find(level => level === text.toUpperCase())
  if (named) return named
  if (name === 'price_level' && /^[1-4]$/.test(text)) return priceLevels[Number(text) - 1]
  const signs = /^(\p{Sc})\1{0,3}$/u.test(text) ? [...text].length : 0
  return priceLevels[signs - 1]
}
