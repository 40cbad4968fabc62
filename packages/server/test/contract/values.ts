import fc from 'fast-check'

/** The parts of a JSON Schema that parameters use. */
export interface ParamSchema {
  readonly type?: 'integer' | 'number' | 'string' | 'boolean' | 'array'
  readonly format?: string
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly items?: ParamSchema
  readonly maxItems?: number
  readonly anyOf?: readonly ParamSchema[]
}

const largestId = 2n ** 63n - 1n

/** Generates texts of values that a schema accepts, as they appear in a query. */
export function validValues(schema: ParamSchema): fc.Arbitrary<string> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(validValues))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const { minimum = schema.exclusiveMinimum ?? 0, maximum = Number.MAX_SAFE_INTEGER } = schema
  switch (schema.type) {
    case 'boolean':
      return fc.constantFrom('true', 'false')
    case 'array':
      return fc
        .array(validValues(schema.items!), { minLength: 1, maxLength: Math.min(schema.maxItems ?? 5, 5) })
        .map(values => values.join(','))
    case 'integer':
      return schema.format === 'int64'
        ? fc.bigInt({ min: 1n, max: largestId }).map(String)
        : fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum, maximum)).map(String)
    case 'number':
      return fc
        .oneof(fc.double({ min: minimum, max: maximum, noNaN: true }), fc.constantFrom(minimum, maximum))
        .filter(value => value !== schema.exclusiveMinimum)
        .map(String)
    default:
      return validTexts(schema)
  }
}

const isoTimes = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map(date => date.toISOString())

function validTexts({ format, pattern, minLength = 0, maxLength = 100 }: ParamSchema): fc.Arbitrary<string> {
  if (format === 'date-time') return isoTimes
  if (format === 'date') return isoTimes.map(time => time.slice(0, 10))
  const matches = (text: string) => (pattern === undefined ? true : new RegExp(pattern, 'u').test(text))
  const texts =
    pattern === undefined || pattern === '\\S'
      ? fc.oneof(
          { weight: 9, arbitrary: fc.string({ unit: 'binary', minLength, maxLength: Math.min(maxLength, 30) }) },
          { weight: 1, arbitrary: fc.constant('é'.repeat(maxLength)) },
        )
      : fc.stringMatching(new RegExp(pattern))
  return texts.filter(text => text.isWellFormed() && [...text].length <= maxLength && matches(text))
}

/** Returns texts that a schema does not accept, and the service does not either. */
export function invalidValues(schema: ParamSchema): string[] {
  if (schema.anyOf) return ['yesterday', '2026-13-01', '']
  if (schema.enum) return ['NONSENSE', '']
  switch (schema.type) {
    case 'array':
      return invalidValues(schema.items!)
    case 'boolean':
      return ['maybe', '']
    case 'integer':
    case 'number':
      return ['x', '', 'NaN', ...(schema.type === 'integer' ? ['1.5'] : []), ...beyondBounds(schema)]
    default:
      return ['', ...(schema.pattern === undefined || schema.pattern === '\\S' ? [] : ['!']), ...tooLong(schema)]
  }
}

const beyondBounds = ({ minimum, exclusiveMinimum, maximum }: ParamSchema): string[] => [
  ...(minimum === undefined ? [] : [String(minimum - 1)]),
  ...(exclusiveMinimum === undefined ? [] : [String(exclusiveMinimum)]),
  ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? [] : [String(maximum + 1)]),
]

const tooLong = ({ maxLength }: ParamSchema): string[] => (maxLength === undefined ? [] : ['a'.repeat(maxLength + 1)])
