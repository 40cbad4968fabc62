import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import { parseId } from '../../domain/id.ts'
import { type Suggestion, suggestionKinds, suggestionOrders, suggestionStates } from '../../domain/suggestion.ts'
import { Type } from '../../kit/json-schema.ts'
import { closedObject, enteredText, idText } from '../../resources/schema.ts'
import {
  suggestedPlaceResource,
  suggestedPlaceSchema,
  suggestionResource,
  suggestionSchema,
} from '../../resources/suggestion.ts'
import { acceptSuggestion, rejectSuggestion, type SuggestionChoice } from '../../usecases/admin/decide-suggestion.ts'
import { getSuggestion, listSuggestions } from '../../usecases/admin/find-suggestion.ts'
import type { ManagementContext } from '../context.ts'
import { invalidCursor, pageOf, pageQuery, readListPage, sortQuery } from '../page.ts'
import { type ApiAnswer, type ApiRequest, apiRoute } from '../route.ts'

/** Ends a suggestion from the revision of If-Match, or from the current one. */
async function decide<B>(
  { places }: ManagementContext,
  { actor, params, expectedRevision }: ApiRequest<unknown, B>,
  end: (choice: SuggestionChoice) => Promise<Suggestion | AdminFault>,
): Promise<ApiAnswer<ReturnType<typeof suggestionResource>> | AdminFault> {
  const found = await getSuggestion(places, actor, { id: params.id! })
  if (isAdminFault(found)) return found
  const { id, revision } = found.suggestion
  const decided = await end({ id, expectedRevision: expectedRevision || revision })
  return isAdminFault(decided) ? decided : { body: suggestionResource(decided), revision: decided.revision }
}

const reason = () => enteredText('reason', 'Text for the user who made the suggestion.')

/** `/suggestions` of the admin API. */
export const suggestionRoutes = [
  apiRoute({
    method: 'GET',
    path: '/suggestions',
    operation: 'listSuggestions',
    summary: 'Lists the changes of places that users suggest, newest first by default.',
    permission: 'places:write',
    query: closedObject({
      ...pageQuery,
      ...sortQuery(suggestionOrders),
      state: Type.Optional(Type.Enum(suggestionStates)),
      kind: Type.Optional(Type.Enum(suggestionKinds)),
      partner_id: Type.Optional(Type.String()),
      location_id: Type.Optional(idText()),
    }),
    response: pageOf(suggestionSchema),
    handler: async ({ places }, { actor, query }) => {
      const { state, kind, partner_id: partnerId, location_id: location, ...page } = query
      const locationId = location === undefined ? undefined : parseId(location)
      const filter = { states: state === undefined ? undefined : [state], kind, partnerId, locationId }
      const read = (span: object) => listSuggestions(places, actor, { ...filter, ...span })
      const found = await readListPage(suggestionOrders, read, page)
      return found ? { body: { ...found, data: found.data.map(suggestionResource) } } : invalidCursor()
    },
  }),
  apiRoute({
    method: 'GET',
    path: '/suggestions/:id',
    operation: 'getSuggestion',
    summary: 'Returns a suggestion next to the values that the place has now.',
    permission: 'places:write',
    response: suggestedPlaceSchema,
    handler: async ({ places }, { actor, params }) => {
      const found = await getSuggestion(places, actor, { id: params.id! })
      if (isAdminFault(found)) return found
      return { body: suggestedPlaceResource(found), revision: found.suggestion.revision }
    },
  }),
  apiRoute({
    method: 'POST',
    path: '/suggestions/:id/accept',
    operation: 'acceptSuggestion',
    summary: 'Accepts a suggestion: its values win over imports until they are lifted. If-Match is optional.',
    permission: 'places:write',
    body: closedObject({ reason: Type.Optional(reason()) }),
    response: suggestionSchema,
    handler: (context, request) =>
      decide(context, request, choice =>
        acceptSuggestion(context.places, request.actor, { ...choice, reason: request.body.reason }),
      ),
  }),
  apiRoute({
    method: 'POST',
    path: '/suggestions/:id/reject',
    operation: 'rejectSuggestion',
    summary: 'Rejects a suggestion. If-Match is optional.',
    permission: 'places:write',
    body: closedObject({ reason: reason() }),
    response: suggestionSchema,
    handler: (context, request) =>
      decide(context, request, choice =>
        rejectSuggestion(context.places, request.actor, { ...choice, reason: request.body.reason }),
      ),
  }),
]
