import { stringifyLongJson } from '../../../kit/long-json.ts'
import type { ExamplePlace } from '../../../usecases/admin/find-example-places.ts'
import type { Difference } from '../../../web/reference/differences.ts'
import { isEmptyText, valuesAt, valueText } from '../../../web/reference/values.ts'
import { type PresentedRecords, recordNames } from './presented-records.ts'

/** A field in two versions, as a place of the store has it. */
export interface DifferingValues {
  readonly place: ExamplePlace
  /** JSON of the value; undefined if the version does not send the field. */
  readonly before: string | undefined
  readonly after: string | undefined
}

/** A difference with the values of a place, if one has the field. */
export interface ShownDifference extends Difference {
  readonly values: DifferingValues | undefined
}

/**
 * Adds to a difference the values of the first place in which they differ, or else of the first that has the field.
 * Parameters and fields of results have none: a place does not have them, and the difference has examples instead.
 */
export function addValues(
  difference: Difference,
  places: readonly ExamplePlace[],
  presented: PresentedRecords,
): ShownDifference {
  const path = difference.name.split('.')
  let values: DifferingValues | undefined
  for (const place of places) {
    const [before, after] = presented(difference.of, place).map(record => valueText(valuesAt(record, path)[0]))
    if (before !== after) return { ...difference, values: { place, before, after } }
    if (before !== undefined) values ??= { place, before, after }
  }
  return { ...difference, values }
}

/** Number of places whose records are compared as a whole: one of each kind. */
const maxCompared = 3

/**
 * Finds fields of places whose values differ although their types do not, such as another form of languages; and for
 * each record one field that the first version sends without a value and the other one leaves out.
 */
export function findValueDifferences(
  listed: readonly Difference[],
  places: readonly ExamplePlace[],
  presented: PresentedRecords,
): readonly ShownDifference[] {
  const found = new Map<string, ShownDifference>()
  for (const of of recordNames) {
    const names = listed.filter(one => one.of === of).map(({ name }) => name)
    for (const place of places.slice(0, maxCompared))
      for (const { name, values } of compareLeaves(place, presented(of, place))) {
        const isForm = values.after !== undefined
        const key = `${of} ${isForm ? name : 'absent'}`
        if (found.has(key) || names.some(one => isPart(name, one))) continue
        found.set(key, { of, name, before: isForm ? '' : 'no value', after: isForm ? '' : undefined, values })
      }
  }
  return [...found.values()]
}

/** Returns true for a field and its members. */
const isPart = (name: string, of: string): boolean => name.startsWith(of) && /^(?:$|[.[])/.test(name.slice(of.length))

/** Returns the fields whose values differ, and those that only the first record has, without a value. */
function compareLeaves(
  place: ExamplePlace,
  [before, after]: readonly [unknown, unknown],
): readonly { readonly name: string; readonly values: DifferingValues }[] {
  const others = flatten(after)
  return [...flatten(before)].flatMap(([path, { name, value }]) => {
    const other = others.get(path)
    const isSame = other ? other.value === value : !isEmptyText(value)
    return isSame ? [] : [{ name, values: { place, before: value, after: other?.value } }]
  })
}

/** A field without members of a record. */
interface Leaf {
  /** Path without the places in lists: `names[].language`. */
  readonly name: string
  readonly value: string
}

/** Returns the fields without members by their paths: `names.0.language`. */
function flatten(record: unknown): ReadonlyMap<string, Leaf> {
  const leaves = new Map<string, Leaf>()
  const visit = (value: unknown, path: string, name: string): void => {
    const members = typeof value === 'object' && value !== null ? Object.entries(value) : []
    for (const [key, member] of members)
      visit(member, `${path}.${key}`, Array.isArray(value) ? `${name}[]` : name === '' ? key : `${name}.${key}`)
    if (members.length === 0 && value !== undefined) leaves.set(path, { name, value: stringifyLongJson(value) })
  }
  visit(record, '', '')
  return leaves
}
