import type { Sqlite } from '../connection.ts'

/**
 * Wraps a change of keys or partners in a transaction. A result of false or undefined means that nothing was changed.
 */
export type AccessChange = <A extends unknown[], R>(change: (...args: A) => R) => (...args: A) => R

/** Creates the wrapper, which increments the revision that serving processes check for changes. */
export function createAccessChange(control: Sqlite): AccessChange {
  const incrementRevision = control.prepare('UPDATE revision SET access = access + 1')
  return change =>
    control.transaction((...args: Parameters<typeof change>) => {
      const result = change(...args)
      if (result !== false && result !== undefined) incrementRevision.run()
      return result
    }).immediate
}
