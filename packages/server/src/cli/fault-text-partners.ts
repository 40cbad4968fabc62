import type { AdminFaultOf } from '../domain/admin-fault.ts'
import type { PartnerFaultFacts } from '../domain/partner-fault.ts'
import { CommandError, UsageError } from './errors.ts'

type PartnerFaultErrors = { readonly [C in keyof PartnerFaultFacts]: (fault: AdminFaultOf<C>) => Error }

/** The messages and exit codes of the faults about partners, upgrade requests and pins. */
export const partnerFaultErrors: PartnerFaultErrors = {
  partner_closed: ({ partner }) =>
    new CommandError(`Partner ${partner} is closed. Run 'periplus partners open ${partner}' to open it again.`),
  live_keys_invalid: ({ value, max }) =>
    new UsageError(`--live-keys must be an integer from 0 to ${max}, not ${value}.`),
}
