import type { AccountReader } from '../../domain/account.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import { type Fault, fault, isFault } from '../../domain/fault.ts'
import type { Key } from '../../domain/key.ts'
import type { LiveLimits } from '../../domain/limit-status.ts'
import type { PackageTable } from '../../domain/package.ts'
import type { RawQuery } from '../../versions/primitives/param.ts'
import { invalidParameters, readArgs } from '../../versions/primitives/requests/read-args.ts'
import { presentAccount, presentAccountUsage } from './present.ts'
import { presentCalls, presentExplainedCall } from './present-calls.ts'
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

/** Runs an account operation; returns the body of the response. */
export const accountOperations: Readonly<
  Record<AccountOperation, (parts: AccountParts, call: AccountCall) => Promise<object | Fault>>
> = {
  getAccount: async ({ reader, live, packageTable }, { key, query }) => {
    const invalid = readArgs(accountParams.getAccount, query, () => undefined)
    if (invalid) return invalid
    return { data: presentAccount(key, packageTable, await live.statusOf(key), await reader.versions(key)) }
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
    return isAdminFault(usage) ? toParameterFault(usage) : { data: presentAccountUsage(usage) }
  },

  listAccountRequests: async ({ reader }, { key, query }) => {
    // The filter `fault` must not make the arguments look like a fault.
    const args = readArgs(accountParams.listAccountRequests, query, ({ status, from, to, ...filters }) => ({
      calls: { ...filters, ...status, fromMs: from, toMs: to },
    }))
    if (isFault(args)) return args
    const calls = await reader.requests(key, args.calls)
    return isAdminFault(calls) ? toParameterFault(calls) : presentCalls(calls)
  },

  getAccountRequest: async ({ reader }, { key, params, query }) => {
    const invalid = readArgs(accountParams.getAccountRequest, query, () => undefined)
    if (invalid) return invalid
    const found = await reader.request(key, params.id!)
    if (!isAdminFault(found)) return { data: presentExplainedCall(found) }
    return fault('request_unknown', {
      detail: 'The log has metered calls of recent days, a few seconds after they end.',
    })
  },
}

/** Converts the fault of a read: the parameters are valid, so only the period or the cursor can be wrong. */
const toParameterFault = ({ fault: code, fields }: AdminFault): Fault => {
  const reason =
    code === 'cursor_invalid'
      ? 'must be the `next` of the previous page'
      : 'is wrong: the period must begin before it ends'
  return invalidParameters(fields.map(field => ({ field, message: `${field} ${reason}.` })))
}
