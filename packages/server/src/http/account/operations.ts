import type { AccountReader } from '../../domain/account.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import { type Fault, isFault } from '../../domain/fault.ts'
import type { Key } from '../../domain/key.ts'
import type { LiveLimits } from '../../domain/limit-status.ts'
import type { PackageTable } from '../../domain/package.ts'
import type { RawQuery } from '../../versions/primitives/param.ts'
import { invalidParameters, readArgs } from '../../versions/primitives/requests/read-args.ts'
import { presentAccount, presentAccountUsage } from './present.ts'
import { type AccountOperation, accountParams } from './routes.ts'

/** Dependencies of the account operations. */
export interface AccountParts {
  readonly reader: AccountReader
  readonly live: LiveLimits
  readonly packageTable: PackageTable
}

/** A request of a key about itself, past authentication and limits. */
export interface AccountCall {
  readonly key: Key
  /** Values of the `:names` in the route's path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: RawQuery
}

/** Runs an account operation; returns the `data` of the response. */
export const accountOperations: Readonly<
  Record<AccountOperation, (parts: AccountParts, call: AccountCall) => Promise<object | Fault>>
> = {
  getAccount: async ({ reader, live, packageTable }, { key, query }) => {
    const invalid = readArgs(accountParams.getAccount, query, () => undefined)
    return invalid ?? presentAccount(key, packageTable, live.statusOf(key), await reader.versions(key))
  },

  getAccountUsage: async ({ reader }, { key, query }) => {
    const args = readArgs(accountParams.getAccountUsage, query, ({ by, tz, from, to }) => ({
      by: by.length > 0 ? by : (['operation'] as const),
      timeZone: tz,
      fromMs: from,
      toMs: to,
    }))
    if (isFault(args)) return args
    const usage = await reader.usage(key, args)
    return isAdminFault(usage) ? toParameterFault(usage) : presentAccountUsage(usage)
  },
}

/** Converts the fault of a report: the parameters are valid, so only the period can be wrong. */
const toParameterFault = ({ fields }: AdminFault): Fault =>
  invalidParameters(fields.map(field => ({ field, message: `${field}: the period must begin before it ends.` })))
