import type { AdminFaultOf } from '../domain/admin-fault.ts'

/** Status and message of a fault. */
export type Wording = readonly [status: number, detail: string]

type OwnKeyFaultCode =
  | 'live_key_unavailable'
  | 'test_key_unavailable'
  | 'own_terms_fixed'
  | 'scope_wider'
  | 'disabled_by_operator'
  | 'explorer_disabled'
  | 'end_fixed'

const keys = (max: number, kind: string): string => (max === 1 ? `one ${kind} key` : `${max} ${kind} keys`)

const liveKeyTexts = {
  no_package: () => 'The operator has not agreed on a package for live keys. Request a live key.',
  held: (max: number) =>
    max === 0
      ? 'Live keys are made by the operator. Request a live key.'
      : `You have ${keys(max, 'live')}, the maximum. Rotate a key to get another secret, or request another live key.`,
  bounded: (max: number) =>
    `You can have ${keys(max, 'live')}, and a revoked key that the operator had bounded keeps its place. Request a live key.`,
  ended: (max: number) =>
    `You can have ${keys(max, 'live')}, and a revoked key counts for 24 hours. Try again then, or request another live key.`,
} as const

const testKeyTexts = {
  held: (max: number) => `You have ${max} test keys, the maximum. Revoke one first, or rotate it.`,
  bounded: (max: number) =>
    `You can have ${max} test keys, and a revoked key that the operator had bounded keeps its place. Ask the operator for a key.`,
  made: (max: number) =>
    `You have made ${max} test keys within 24 hours, the maximum. Use one of them, or try again later.`,
} as const

/** The status and message of the faults about keys that a partner makes itself. */
export const ownKeyWordings: { readonly [C in OwnKeyFaultCode]: (fault: AdminFaultOf<C>) => Wording } = {
  live_key_unavailable: ({ reason, max }) => [409, liveKeyTexts[reason](max)],
  test_key_unavailable: ({ reason, max }) => [409, testKeyTexts[reason](max)],
  own_terms_fixed: ({ fields }) => [403, `Only the operator sets ${fields.join(', ')}.`],
  scope_wider: ({ restriction, value, bound }) => [
    400,
    value === undefined
      ? `scope.${restriction} must name some of ${bound.join(', ')}: a key cannot see more than the operator allows.`
      : `scope.${restriction} must stay within ${bound.join(', ')}; ${value} is not one of them.`,
  ],
  disabled_by_operator: ({ key }) => [409, `The operator disabled key ${key}, so only the operator can enable it.`],
  explorer_disabled: ({ key }) => [409, `The explorer key ${key} was disabled or revoked. Use a test key of your own.`],
  end_fixed: ({ key, expiresMs }) => [
    409,
    `The operator set the end of key ${key} to ${new Date(expiresMs).toISOString()}; only the operator can move it to a later time.`,
  ],
}
