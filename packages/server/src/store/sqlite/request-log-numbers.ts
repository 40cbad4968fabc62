import type { UsageRecord } from '../../domain/usage.ts'
import type { Sqlite } from '../connection.ts'

/** A group of calls of a key. */
export interface CallGroup {
  readonly operation: string
  readonly status: number
  readonly fault: string | undefined
}

/** The numbers of the request log for keys, operations, kinds of served calls, and groups of calls. */
export interface CallNumbers {
  /** Finds or assigns the number of a key. */
  ofKey(key: { readonly keyId: string; readonly partnerId: string }): number
  /** Finds or assigns the number of an operation. */
  ofOperation(name: string): number
  /** Finds or assigns the number of a kind: calls with the same operation, version, status and units. */
  ofKind(call: UsageRecord): number
  /** Finds or assigns the number of a group of a key. */
  ofGroup(keyNo: number, group: CallGroup): number
}

/** Maximum number of kinds, and of groups, in memory. */
const maxKinds = 10_000

export function createCallNumbers(db: Sqlite): CallNumbers {
  const findKey = db.prepare<[string], number>('SELECT no FROM keys WHERE id = ?').pluck()
  const addKey = db.prepare('INSERT INTO keys (id, partner, last_ms) VALUES (?, ?, 0)')
  const findOperation = db.prepare<[string], number>('SELECT no FROM operations WHERE name = ?').pluck()
  const addOperation = db.prepare('INSERT INTO operations (name) VALUES (?)')
  const findKind = db
    .prepare<unknown[], number>(
      'SELECT no FROM kinds WHERE operation = ? AND version = ? AND explicit = ? AND status = ? AND units = ?',
    )
    .pluck()
  const addKind = db.prepare('INSERT INTO kinds (operation, version, explicit, status, units) VALUES (?, ?, ?, ?, ?)')
  const findGroup = db
    .prepare<unknown[], number>(
      'SELECT no FROM call_groups WHERE key_no = ? AND operation = ? AND status = ? AND fault = ?',
    )
    .pluck()
  const addGroup = db.prepare(
    'INSERT INTO call_groups (key_no, operation, status, fault, last_ms) VALUES (?, ?, ?, ?, 0)',
  )
  const [keys, operations, kinds] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()]
  const groups = new Map<string, number>()
  const ofOperation = (name: string): number =>
    getOrSet(operations, name, () => findOperation.get(name) ?? Number(addOperation.run(name).lastInsertRowid))
  return {
    ofKey: ({ keyId, partnerId }) =>
      getOrSet(keys, keyId, () => findKey.get(keyId) ?? Number(addKey.run(keyId, partnerId).lastInsertRowid)),
    ofOperation,
    ofKind: ({ operation, version, versionExplicit, status, units }) => {
      if (kinds.size > maxKinds) kinds.clear()
      return getOrSet(kinds, `${operation} ${version} ${versionExplicit} ${status} ${units}`, () => {
        const columns = [ofOperation(operation), version, versionExplicit ? 1 : 0, status, units]
        return findKind.get(...columns) ?? Number(addKind.run(...columns).lastInsertRowid)
      })
    },
    ofGroup: (keyNo, { operation, status, fault = '' }) => {
      if (groups.size > maxKinds) groups.clear()
      return getOrSet(groups, `${keyNo} ${operation} ${status} ${fault}`, () => {
        const columns = [keyNo, ofOperation(operation), status, fault]
        return findGroup.get(...columns) ?? Number(addGroup.run(...columns).lastInsertRowid)
      })
    },
  }
}

function getOrSet(numbers: Map<string, number>, name: string, find: () => number): number {
  const known = numbers.get(name)
  if (known !== undefined) return known
  const found = find()
  numbers.set(name, found)
  return found
}
