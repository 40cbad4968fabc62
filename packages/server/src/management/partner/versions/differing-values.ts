import { indentJson, parseLongJson, stringifyLongJson } from '../../../kit/long-json.ts'
import type { ExamplePlace } from '../../../usecases/admin/find-example-places.ts'
import type { PresentContext } from '../../../versions/primitives/format.ts'
import type { Difference } from '../../../web/reference/differences.ts'
import type { RecordPresenters, VersionPair } from '../../version-pair.ts'

/** A field in two versions, as a place of the store has it. */
export interface DifferingValues {
  readonly place: ExamplePlace
  /** JSON of the value; undefined if the version does not send the field. */
  readonly before: string | undefined
  readonly after: string | undefined
}

type Present = (version: RecordPresenters, place: ExamplePlace, context: PresentContext) => object | undefined

/** Presenters of the records that a difference can be of. */
const presentRecord: Readonly<Record<string, Present>> = {
  Location: ({ location }, { entry }, context) => location(entry, context),
  'Catalog location': ({ catalogLocation }, { entry }, context) => catalogLocation(entry, context),
  Review: ({ review: present }, { entry, review }, context) =>
    review && present(review, entry, { originalsOnly: false }, context),
}

/**
 * Returns a function that finds the values of a field in both versions, from the first place whose values differ, or
 * else from the first that has the field; undefined for parameters, and for a field that no place has. Each record is
 * presented once.
 */
export function createValueFinder(
  { before, after }: Pick<VersionPair, 'before' | 'after'>,
  places: readonly ExamplePlace[],
  publicUrl: string,
): (difference: Difference) => DifferingValues | undefined {
  const context = { publicUrl, locales: [] }
  const presented = new Map<string, readonly [unknown, unknown]>()
  const recordsOf = (of: string, place: ExamplePlace): readonly [unknown, unknown] => {
    const key = `${of} ${place.entry.id}`
    const present = (version: RecordPresenters) => toPlainJson(presentRecord[of]?.(version, place, context))
    const records = presented.get(key) ?? [present(before), present(after)]
    presented.set(key, records)
    return records
  }
  return ({ of, name }) => {
    const path = name.split('.')
    const values = places.map(place => {
      const [old, now] = recordsOf(of, place).map(record => toText(valuesAt(record, path)[0]))
      return { place, before: old, after: now }
    })
    return values.find(one => one.before !== one.after) ?? values.find(one => one.before !== undefined)
  }
}

/** Returns a record as clients parse it, with all digits of its ids. */
const toPlainJson = (record: object | undefined): unknown => record && parseLongJson(JSON.stringify(record))

/** Returns the current values at a path such as `['categories[]', 'id']`, in order. */
function valuesAt(value: unknown, [step, ...rest]: readonly string[]): readonly unknown[] {
  if (step === undefined) return isAbsent(value) ? [] : [value]
  const isList = step.endsWith('[]')
  const member = (Object(value) as Readonly<Record<string, unknown>>)[isList ? step.slice(0, -2) : step]
  const members: readonly unknown[] = isList ? (Array.isArray(member) ? member : []) : [member]
  return members.flatMap(one => valuesAt(one, rest))
}

/** Returns true for a missing value, and for the empty ones with which version 0 says that a value is missing. */
const isAbsent = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/** Returns a value as JSON; of a list the first element and the number of the others. */
function toText(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (!Array.isArray(value) || value.length < 2) return onOneLine(value)
  return `[ ${onOneLine(value[0])}, … ${value.length - 1} more ]`
}

/** Returns JSON on one line with a space after each separator, where a narrow column can break it. */
const onOneLine = (value: unknown): string => indentJson(stringifyLongJson(value)).replaceAll(/\n\s*/g, ' ')
