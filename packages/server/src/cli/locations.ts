import type { Command } from 'commander'
import { withEngine } from '../compose/engine.ts'
import { composePlaces, type Places } from '../compose/places.ts'
import { type Id, parseId } from '../domain/id.ts'
import { isWholeField, mergeField, overrideFields, removalField } from '../domain/override.ts'
import type { Engine } from '../domain/stores.ts'
import { parseBoundedJson } from '../kit/bounded-json.ts'
import { auditListResource } from '../resources/audit.ts'
import { overrideResource, placeResource } from '../resources/place.ts'
import { getPlace } from '../usecases/admin/get-place.ts'
import { liftOverride } from '../usecases/admin/lift-override.ts'
import { locationHistory } from '../usecases/admin/location-history.ts'
import { mergeLocation } from '../usecases/admin/merge-location.ts'
import { overrideLocation } from '../usecases/admin/override-location.ts'
import { removeLocation } from '../usecases/admin/remove-location.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { UsageError } from './errors.ts'
import { unwrapOrThrow } from './fault-text.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'
import { print, textPairs, textTable } from './print.ts'

/** Maximum number of lines of a history. */
const maxHistory = 200

interface ChangeFlags extends CommonFlags, ActorFlag {
  readonly reason?: string
}

/** `periplus locations show|override|lift|merge|remove|history` */
export function addLocationsCommand(program: Command): void {
  const locations = program
    .command('locations')
    .description('Overrides, merges and removes locations; imports do not undo these decisions.')
  addShow(locations)
  addOverride(locations)
  addLift(locations)
  addMerge(locations)
  addRemove(locations)
  addHistory(locations)
}

const withPlaces = (flags: CommonFlags, work: (places: Places, engine: Engine) => Promise<void>): Promise<void> =>
  withEngine(loadCommandConfig(flags).config, { create: false }, engine => work(composePlaces(engine), engine))

const withReason = (command: Command): Command =>
  withActorFlag(withCommonFlags(command)).option('--reason <text>', 'reason of the change (required)')

function addShow(locations: Command): void {
  withCommonFlags(locations.command('show'))
    .description('Shows a location and its overridden fields.')
    .argument('<id>', 'id of the location')
    .action((text: string, flags: CommonFlags) =>
      withPlaces(flags, async places => {
        const place = unwrapOrThrow(await getPlace(places, cliActor(), { id: idOf(text) }))
        const resource = placeResource(place)
        print(flags.json, resource, () =>
          textPairs([
            ['id', text],
            ['merged into', place.entry.id === place.id ? undefined : String(place.entry.id)],
            ['name', place.entry.location().names[0]?.value],
            ['source', place.entry.source],
            ['updated', resource.updated_at],
            ...place.overrides.map(
              ({ field, value, reason }) => [`override ${field}`, `${JSON.stringify(value)} (${reason})`] as const,
            ),
          ]),
        )
      }),
    )
}

function addOverride(locations: Command): void {
  withReason(locations.command('override'))
    .description('Sets the value of a field, which wins over imports until it is lifted.')
    .argument('<id>', 'id of the location')
    .argument('<field>', overrideFields.join(', '))
    .argument('<value>', 'text, or JSON as in imported records')
    .action((text: string, field: string, value: string, flags: ChangeFlags) =>
      withPlaces(flags, async places => {
        const input = { id: idOf(text), field, value: parseValue(value), reason: flags.reason ?? '' }
        const override = unwrapOrThrow(await overrideLocation(places, cliActor(flags.actor), input))
        print(flags.json, overrideResource(override), () => `The field ${field} of location ${text} is overridden.`)
      }),
    )
}

function addLift(locations: Command): void {
  withReason(locations.command('lift'))
    .description('Lifts an override, a merge or a removal: the last import is served again.')
    .argument('<id>', 'id of the location')
    .argument('<field>', `${overrideFields.join(', ')}, ${mergeField} for a merge, or ${removalField} for a removal`)
    .action((text: string, field: string, flags: ChangeFlags) =>
      withPlaces(flags, async places => {
        const input = { id: idOf(text), field, reason: flags.reason ?? '' }
        const lifted = unwrapOrThrow(await liftOverride(places, cliActor(flags.actor), input))
        print(flags.json, overrideResource(lifted), () =>
          isWholeField(field)
            ? `Location ${text} exists again. The next import of its reviews brings them back.`
            : `The field ${field} of location ${text} has its imported value again.`,
        )
      }),
    )
}

function addMerge(locations: Command): void {
  withReason(locations.command('merge'))
    .description('Merges a location into another one, to which its reviews are moved.')
    .argument('<id>', 'id of the location that ends')
    .argument('<into>', 'id of the location that survives')
    .action((text: string, survivor: string, flags: ChangeFlags) =>
      withPlaces(flags, async places => {
        const input = { id: idOf(text), into: idOf(survivor), reason: flags.reason ?? '' }
        const merge = unwrapOrThrow(await mergeLocation(places, cliActor(flags.actor), input))
        print(flags.json, overrideResource(merge), () => `Location ${text} is merged into ${merge.value}.`)
      }),
    )
}

function addRemove(locations: Command): void {
  withReason(locations.command('remove'))
    .description('Removes a location and its reviews. Imports do not restore it until the removal is lifted.')
    .argument('<id>', 'id of the location')
    .action((text: string, flags: ChangeFlags) =>
      withPlaces(flags, async places => {
        const input = { id: idOf(text), reason: flags.reason ?? '' }
        const removal = unwrapOrThrow(await removeLocation(places, cliActor(flags.actor), input))
        print(flags.json, overrideResource(removal), () => `Location ${text} is removed.`)
      }),
    )
}

function addHistory(locations: Command): void {
  withCommonFlags(locations.command('history'))
    .description('Lists the overrides, merges, removals and lifts of a location, newest first.')
    .argument('<id>', 'id of the location')
    .action((text: string, flags: CommonFlags) =>
      withPlaces(flags, async (places, { audit }) => {
        const stores = { ...places, audit }
        const page = unwrapOrThrow(await locationHistory(stores, cliActor(), { id: idOf(text), limit: maxHistory }))
        const list = auditListResource(page.lines)
        print(flags.json, list, () =>
          textTable(
            ['at', 'actor', 'via', 'action', 'change'],
            list.audit.map(line => [line.at, line.actor_id, line.via, line.action, JSON.stringify(line.after)]),
          ),
        )
      }),
    )
}

/** Returns the value of JSON; any other text is the value itself. */
function parseValue(text: string): unknown {
  if (!/^\s*[[{"]/.test(text)) return text
  try {
    return parseBoundedJson(text)
  } catch {
    throw new UsageError(`The value is not valid JSON: ${text}`)
  }
}

function idOf(text: string): Id {
  const id = parseId(text)
  if (id === undefined)
    throw new UsageError(`'${text}' is not a location id. A location id is an integer from 1 to 9223372036854775807.`)
  return id
}
