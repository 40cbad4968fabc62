import type { AuditLog } from '../../domain/audit-log.ts'
import { applyKeyChange, type Key, type KeyChange } from '../../domain/key.ts'
import type { LoggedCall } from '../../domain/request-log.ts'
import type { JsonObject, JsonValue } from '../../kit/json.ts'

/** Maximum number of changes of a key that are read to restore its terms. */
const maxChanges = 200

/**
 * Returns a key with the terms that it had at the time of a call, restored from the audit; the current key if it has
 * not changed since.
 */
export async function findTermsAt(audit: AuditLog, key: Key, call: LoggedCall): Promise<Key> {
  if (call.keyRevision === key.revision) return key
  const { lines } = await audit.list({
    visibility: { all: true },
    target: key.id,
    fromMs: call.timeMs,
    limit: maxChanges,
  })
  // Changes are sorted newest first: each one restores an earlier state.
  return lines.reduce((then, { before, after }) => (before ? undo(then, before, after ?? {}) : then), key)
}

/** Members of the audit that are terms of a key, by their names in `KeyChange`. */
const termNames = {
  package: 'packageName',
  add_ons: 'addOns',
  agreement: 'agreement',
  scope: 'scope',
  networks: 'networks',
  expires_ms: 'expiresMs',
} as const satisfies Readonly<Record<string, keyof KeyChange>>

function undo(key: Key, before: JsonObject, after: JsonObject): Key {
  const changed = Object.entries(termNames).filter(([name]) => name in before || name in after)
  return applyKeyChange(key, Object.fromEntries(changed.map(([name, member]) => [member, toMember(before[name])])))
}

/** Converts a value of the audit, whose names are in snake case; returns null for a missing value. */
function toMember(value: JsonValue | undefined): unknown {
  if (value === undefined) return null
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.replace(/_([a-z])/g, (_, c: string) => c.toUpperCase()),
      member,
    ]),
  )
}
