import type { PlaceFaultFacts } from '../domain/place-fault.ts'
import { CommandError, UsageError } from './errors.ts'

const commandError = (text: string): Error => new CommandError(text)
const usageError = (text: string): Error => new UsageError(text)

/** The message and exit code of each fault of places. */
export const placeFaultErrors: { readonly [C in keyof PlaceFaultFacts]: (fault: PlaceFaultFacts[C]) => Error } = {
  location_unknown: ({ location }) => commandError(`Location ${location} does not exist in this data folder.`),
  location_merged: ({ location, survivor }) =>
    commandError(`Location ${location} was merged into ${survivor}. Change that one, or lift the merge.`),
  reason_required: () => usageError('Specify the reason with --reason TEXT.'),
  override_field_unknown: ({ field, fields }) =>
    usageError(`The field ${field} cannot be overridden. The fields are ${fields.join(', ')}.`),
  override_invalid: ({ field, detail }) => usageError(`The value of ${field} is not valid: ${detail}`),
  override_unknown: ({ location, field }) =>
    commandError(`The field ${field} of location ${location} is not overridden, so it cannot be lifted.`),
  override_changed: ({ location, field, revision }) =>
    commandError(
      `The field ${field} of location ${location} was changed by someone else: it has revision ${revision}. ` +
        `Nothing was changed. Inspect it with 'periplus locations show ${location}', then repeat the command.`,
    ),
  merge_circular: ({ location, into }) =>
    commandError(`Location ${location} cannot be merged into ${into}: that is the same place after earlier merges.`),
}
