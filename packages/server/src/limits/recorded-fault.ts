import type { Fault } from '../domain/fault.ts'
import type { Key } from '../domain/key.ts'
import type { RecordedFault } from '../domain/usage.ts'

/** The reason of a refused or failed call, before it is recorded. */
export interface CallCause {
  readonly fault: Fault
  /** Names of the wrong parameters, as they are documented. */
  readonly fields?: readonly string[] | undefined
  /** Units that a refused call needed. */
  readonly cost?: number | undefined
  /** `RateLimit-Policy` of the response. */
  readonly policies: string | undefined
}

/** Converts the reason of a refused or failed call to its form in the journal. */
export function toRecordedFault(
  { fault: { fault: code, violatedPolicies = [], headers }, fields = [], cost, policies }: CallCause,
  key: Key,
): RecordedFault {
  const retryAfter = headers?.['Retry-After']
  return {
    code,
    fields,
    policies: selectPolicies(violatedPolicies, policies),
    keyRevision: key.revision,
    ...(retryAfter !== undefined && { retryAfterS: Number(retryAfter) }),
    ...(cost !== undefined && { cost }),
  }
}

/** Returns the items of `RateLimit-Policy` with these names; the name alone of a policy that is not in the header. */
function selectPolicies(names: readonly string[], header = ''): readonly string[] {
  const items = header.split(', ')
  return names.map(name => items.find(item => item.startsWith(`"${name}"`)) ?? `"${name}"`)
}
