import type { Lifecycle } from '../../../versions/lifecycle.ts'

/** Time after which a value is made again, in milliseconds: pages show distances of dates in days. */
const keptMs = 3_600_000

/** The inputs of a value: the time, and ids of places that exist, for samples. */
export interface ValueInputs {
  readonly nowMs: number
  readonly placeIds: readonly string[]
}

/** Returns the value with a name, and makes it if its inputs have changed. */
export type KeptValues<T> = (name: string, inputs: ValueInputs, make: () => T | undefined) => T | undefined

/**
 * Creates a cache of parts of the documentation. A value is kept until the status of a version or an endpoint changes,
 * the samples name other places, or an hour has passed.
 */
export function createKeptValues<T>({ versions, endpoints }: Lifecycle): KeptValues<T> {
  const dates = [...versions, ...Object.values(endpoints)].flatMap(({ deprecatedMs, sunsetMs }) => [
    deprecatedMs ?? Number.POSITIVE_INFINITY,
    sunsetMs ?? Number.POSITIVE_INFINITY,
  ])
  const kept = new Map<string, { readonly inputs: string; readonly value: T }>()
  return (name, { nowMs, placeIds }, make) => {
    const passed = dates.filter(dateMs => dateMs <= nowMs).length
    const inputs = [Math.floor(nowMs / keptMs), passed, ...placeIds].join()
    const found = kept.get(name)
    if (found?.inputs === inputs) return found.value
    const value = make()
    if (value !== undefined) kept.set(name, { inputs, value })
    return value
  }
}
