import type { Sqlite } from './sqlite.ts'

/** Wraps a change of keys or partners into a transaction; a change that returns false or undefined changed nothing. */
export type AccessChange = <A extends unknown[], R>(change: (...args: A) => R) => (...args: A) => R

/** Returns the wrapper. It increments the revision by which a serving process notices changes. */
export function createAccessChange(control: Sqlite): AccessChange {
  const bump = control.prepare('UPDATE revision SET access = access + 1')
  return change =>
    control.transaction((...args: Parameters<typeof change>) => {
      const result = change(...args)
      if (result !== false && result !== undefined) bump.run()
      return result
    }).immediate
}
