import { accountDimensions } from '../../domain/account.ts'
import { isTimeZone } from '../../kit/time.ts'
import { choices } from '../../versions/primitives/choice-params.ts'
import { InvalidParameter, type Param, type ParamSet, withDefault } from '../../versions/primitives/param.ts'
import { instant, text } from '../../versions/primitives/single-params.ts'

/** The requests of a key about itself. */
export type AccountOperation = 'getAccount' | 'getAccountUsage'

/** One row of the table of account requests. All are GET. */
export interface AccountRoute {
  readonly operation: AccountOperation
  readonly path: string
}

/** The requests of a key about itself. */
export const accountRoutes: readonly AccountRoute[] = [
  { operation: 'getAccount', path: '/account' },
  { operation: 'getAccountUsage', path: '/account/usage' },
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

/** The parameters of each operation; they validate requests and appear in the OpenAPI documents. */
export const accountParams = {
  getAccount: {},
  getAccountUsage: {
    by: choices(accountDimensions, {
      description: 'Columns to sum by; one row for each combination. Default: `operation`.',
    }),
    tz: withDefault(timeZone, 'UTC'),
    from: instant({ description: 'Only calls at or after this date or time. Default: all.' }),
    to: instant({ description: 'Only calls before this date or time. Default: now.' }),
  },
} satisfies Readonly<Record<AccountOperation, ParamSet>>
