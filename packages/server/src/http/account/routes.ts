import { accountDimensions } from '../../domain/account.ts'
import { type FaultCode, faults } from '../../domain/fault.ts'
import { operationNames } from '../../domain/operation.ts'
import { Type } from '../../kit/json-schema.ts'
import { isTimeZone } from '../../kit/time.ts'
import { choice, choices } from '../../versions/primitives/choice-params.ts'
import {
  createSingle,
  InvalidParameter,
  type Param,
  type ParamSet,
  withDefault,
} from '../../versions/primitives/param.ts'
import { instant, integer, text } from '../../versions/primitives/single-params.ts'

/** The requests of a key about itself. */
export type AccountOperation = 'getAccount' | 'getAccountUsage' | 'listAccountRequests' | 'getAccountRequest'

/** One row of the table of account requests. All are GET. */
export interface AccountRoute {
  readonly operation: AccountOperation
  readonly path: string
}

/** The requests of a key about itself. */
export const accountRoutes: readonly AccountRoute[] = [
  { operation: 'getAccount', path: '/account' },
  { operation: 'getAccountUsage', path: '/account/usage' },
  { operation: 'listAccountRequests', path: '/account/requests' },
  { operation: 'getAccountRequest', path: '/account/requests/:id' },
]

/** A parameter for the name of a time zone. */
const timeZone: Param<string | undefined> = {
  ...text({ maximum: 100, description: 'Time zone of days, such as Europe/Madrid.' }),
  read: values => {
    const read = text({ maximum: 100, description: '' }).read(values)
    return typeof read !== 'string' || isTimeZone(read)
      ? read
      : new InvalidParameter('must be a time zone such as Europe/Madrid', read)
  },
}

/** A status or a class of statuses; both ends are included. */
export interface StatusRange {
  readonly statusFrom: number
  readonly statusTo: number
}

/** A parameter for a status such as `429`, or a class of statuses such as `4xx`. */
const statuses: Param<StatusRange | undefined> = createSingle(
  { description: 'Only calls with this status (429), or with a status of this class (4xx).' },
  Type.String({ pattern: '^[2-5]([0-9][0-9]|xx)$' }),
  sent => {
    const [, first, rest] = /^([2-5])(\d\d|xx)$/i.exec(sent.trim()) ?? []
    if (rest === undefined) return new InvalidParameter('must be a status such as 429, or 4xx', sent)
    const whole = rest.toLowerCase() === 'xx'
    return { statusFrom: Number(first + (whole ? '00' : rest)), statusTo: Number(first + (whole ? '99' : rest)) }
  },
)

const period = {
  from: instant({ description: 'Only calls at or after this date or time. Default: all.' }),
  to: instant({ description: 'Only calls before this date or time. Default: now.' }),
}

const faultCodes = Object.keys(faults) as FaultCode[]

/** The parameters of each operation; they validate requests and appear in the OpenAPI documents. */
export const accountParams = {
  getAccount: {},
  getAccountUsage: {
    by: choices(accountDimensions, {
      description: 'Columns to sum by; one row for each combination. Default: `operation`.',
    }),
    tz: withDefault(timeZone, 'UTC'),
    ...period,
  },
  listAccountRequests: {
    status: statuses,
    operation: choice(operationNames, { description: 'Only calls of this operation.' }),
    fault: choice(faultCodes, { description: 'Only calls with this error: the fragment of `type` in its problem.' }),
    ...period,
    limit: withDefault(integer({ minimum: 1, maximum: 200, description: 'Maximum number of calls in the list.' }), 50),
    after: text({ maximum: 200, description: 'The `next` of the previous page.' }),
  },
  getAccountRequest: {},
} satisfies Readonly<Record<AccountOperation, ParamSet>>
