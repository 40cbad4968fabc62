import type { AdminFaultOf } from '../domain/admin-fault.ts'
import type { PartnerFaultFacts } from '../domain/partner-fault.ts'
import { CommandError, UsageError } from './errors.ts'

type PartnerFaultErrors = { readonly [C in keyof PartnerFaultFacts]: (fault: AdminFaultOf<C>) => Error }

/** The flag of each member that a request can lack. */
const askFlags: Readonly<Record<string, string>> = { key_id: '--key', partner_id: '--partner' }

/** The messages and exit codes of the faults about partners, upgrade requests and pins. */
export const partnerFaultErrors: PartnerFaultErrors = {
  partner_closed: ({ partner }) =>
    new CommandError(`Partner ${partner} is closed. Run 'periplus partners open ${partner}' to open it again.`),
  pin_undo_unavailable: ({ key, feed, reason }) =>
    new CommandError(
      reason === 'never_moved'
        ? `The pin of ${feed} of key ${key} was never moved.`
        : `The pin of ${feed} of key ${key} was moved more than 72 hours ago. Move it with 'periplus feeds pin'.`,
    ),
  upgrade_unknown: ({ upgrade }) =>
    new CommandError(`Upgrade request ${upgrade} does not exist. Run 'periplus upgrades list' to see all requests.`),
  upgrade_open: ({ kind, subject }) =>
    new CommandError(`${subject} already has an open request of the kind ${kind}. Decide or withdraw it first.`),
  upgrade_decided: ({ upgrade, state }) => new CommandError(`Upgrade request ${upgrade} is already ${state}.`),
  upgrade_incomplete: ({ fields }) => new UsageError(`Specify ${fields.map(field => askFlags[field]).join(' and ')}.`),
  upgrade_pointless: ({ key, test }) =>
    new CommandError(
      test ? `Key ${key} is a test key, whose terms are fixed.` : `Key ${key} already has what is requested.`,
    ),
  live_keys_invalid: ({ value, max }) =>
    new UsageError(`--live-keys must be an integer from 0 to ${max}, not ${value}.`),
  live_key_unavailable: ({ max }) =>
    new CommandError(`The partner can make ${max} live keys itself, and no other now.`),
  test_key_unavailable: ({ max }) =>
    new CommandError(`The partner can make ${max} test keys itself, and no other now.`),
  own_terms_fixed: ({ fields }) => new CommandError(`Only the operator sets ${fields.join(', ')}.`),
  scope_wider: ({ restriction, bound }) =>
    new CommandError(`The scope must stay within these ${restriction}: ${bound.join(', ')}.`),
  explorer_disabled: ({ key }) => new CommandError(`The explorer key ${key} was disabled or revoked.`),
  disabled_by_operator: ({ key }) => new CommandError(`The operator disabled key ${key}.`),
  end_fixed: ({ key }) => new CommandError(`The operator set the end of key ${key}.`),
}
