import { type Command, InvalidArgumentError, Option } from 'commander'
import { withEngine } from '../compose/engine.ts'
import { composePlaces, type Places } from '../compose/places.ts'
import { type Id, parseId } from '../domain/id.ts'
import { parseOrder } from '../domain/list-order.ts'
import {
  type Suggestion,
  type SuggestionKind,
  type SuggestionState,
  suggestionKinds,
  suggestionOrders,
  suggestionStates,
} from '../domain/suggestion.ts'
import { suggestedPlaceResource, suggestionListResource, suggestionResource } from '../resources/suggestion.ts'
import { acceptSuggestion, rejectSuggestion } from '../usecases/admin/decide-suggestion.ts'
import { getSuggestion, listSuggestions } from '../usecases/admin/find-suggestion.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { unwrapOrThrow } from './fault-text.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'
import { print, textPairs, textTable } from './print.ts'
import { type RevisionFlag, revisionOption } from './revision.ts'
import { type SortFlag, sortOption } from './sort-option.ts'

type ChangeFlags = CommonFlags & ActorFlag & RevisionFlag & { readonly reason?: string }

interface ListFlags extends CommonFlags, SortFlag {
  readonly state?: SuggestionState | 'all'
  readonly kind?: SuggestionKind
  readonly location?: Id
  readonly partner?: string
}

/** `periplus suggestions list|show|accept|reject` */
export function addSuggestionsCommand(program: Command): void {
  const suggestions = program
    .command('suggestions')
    .description('Decides on the changes of places that users of partners suggest.')
  addList(suggestions)
  addShow(suggestions)
  addDecision(suggestions, 'accept', acceptSuggestion)
    .description('Accepts a suggestion: its values win over imports until they are lifted.')
    .option('--reason <text>', 'text for the user who made it')
  addDecision(suggestions, 'reject', rejectSuggestion)
    .description('Rejects a suggestion.')
    .requiredOption('--reason <text>', 'text for the user who made it')
}

const withPlaces = (flags: CommonFlags, work: (places: Places) => Promise<void>): Promise<void> =>
  withEngine(loadCommandConfig(flags).config, { create: false }, engine => work(composePlaces(engine)))

function addList(suggestions: Command): void {
  withCommonFlags(suggestions.command('list'))
    .description('Lists open suggestions, the newest first by default.')
    .addOption(
      new Option('--state <state>', 'only suggestions in this state; "all" for all of them').choices([
        ...suggestionStates,
        'all',
      ]),
    )
    .addOption(new Option('--kind <kind>', 'only suggestions of this kind').choices(suggestionKinds))
    .option('--location <id>', 'only suggestions for this location', locationOf)
    .option('--partner <id>', 'only suggestions of users of this partner')
    .addOption(sortOption(suggestionOrders))
    .action(({ state = 'open', kind, location, partner, ...flags }: ListFlags) =>
      withPlaces(flags, async places => {
        const { rows } = await listSuggestions(places, cliActor(), {
          states: state === 'all' ? undefined : [state],
          ...{ kind, locationId: location, partnerId: partner, order: parseOrder(flags.sort, suggestionOrders) },
        })
        const list = suggestionListResource(rows)
        print(flags.json, list, () =>
          textTable(
            ['id', 'location', 'kind', 'partner', 'state', 'created', 'comment'],
            list.suggestions.map(one => [
              ...[one.id, one.location_id, one.kind, one.partner_id, one.state, one.created_at, one.comment],
            ]),
          ),
        )
      }),
    )
}

function addShow(suggestions: Command): void {
  withCommonFlags(suggestions.command('show'))
    .description('Shows a suggestion next to the values that the place has now.')
    .argument('<id>', 'id of the suggestion')
    .action((id: string, flags: CommonFlags) =>
      withPlaces(flags, async places => {
        const found = unwrapOrThrow(await getSuggestion(places, cliActor(), { id }))
        const shown = suggestedPlaceResource(found)
        print(flags.json, shown, () =>
          textPairs([
            ['id', id],
            ['location', shown.location_id],
            ['name', found.entry?.location().names[0]?.value],
            ['kind', shown.kind],
            ['duplicate of', shown.duplicate_of],
            ...Object.entries(found.suggestion.values).flatMap(
              ([field, value]) =>
                [
                  [`${field} now`, JSON.stringify((shown.current as Readonly<Record<string, unknown>>)[field])],
                  [`${field} suggested`, JSON.stringify(value)],
                ] as const,
            ),
            ['comment', shown.comment],
            ['by', `${shown.by} of partner ${shown.partner_id}, ${shown.created_at}`],
            ['state', shown.state],
            ['reason', shown.reason],
          ]),
        )
      }),
    )
}

/** Adds a command that reads a suggestion and ends it from the revision that was read. */
const addDecision = (
  suggestions: Command,
  name: 'accept' | 'reject',
  decide: typeof acceptSuggestion | typeof rejectSuggestion,
): Command =>
  withActorFlag(withCommonFlags(suggestions.command(name)))
    .argument('<id>', 'id of the suggestion')
    .addOption(revisionOption())
    .action((id: string, { reason, ifRevision, ...flags }: ChangeFlags) =>
      withPlaces(flags, async places => {
        const actor = cliActor(flags.actor)
        const { suggestion } = unwrapOrThrow(await getSuggestion(places, actor, { id }))
        const choice = { id, reason, expectedRevision: ifRevision ?? suggestion.revision }
        const decided = unwrapOrThrow(await decide(places, actor, choice))
        print(flags.json, suggestionResource(decided), () => outcomeText(decided))
      }),
    )

function outcomeText({ id, locationId, duplicateOf, state, values }: Suggestion): string {
  const outcome = `Suggestion ${id} is ${state}.`
  if (state !== 'accepted') return outcome
  if (duplicateOf !== undefined) return `${outcome} Location ${locationId} is merged into ${duplicateOf}.`
  const fields = Object.keys(values)
  if (fields.length === 0) return `${outcome} It has no values, so nothing was changed.`
  return `${outcome} Location ${locationId} has new values of ${fields.join(' and ')}.`
}

function locationOf(text: string): Id {
  const id = parseId(text)
  if (id === undefined) throw new InvalidArgumentError('Must be the id of a location: a positive integer.')
  return id
}
