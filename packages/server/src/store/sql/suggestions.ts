import { parseId } from '../../domain/id.ts'
import {
  type SuggestedValues,
  type Suggestion,
  type SuggestionKind,
  type SuggestionSpan,
  type SuggestionState,
  type SuggestionStore,
  suggestionOrders,
} from '../../domain/suggestion.ts'
import type { Visibility } from '../../domain/visibility.ts'
import { writeRecord } from './change-record.ts'
import { get, type JsonColumns, run, type SqlDatabase } from './database.ts'
import { mapPart, selectPart } from './list-query.ts'
import { equals, isOneOf, isVisible, where } from './terms.ts'

interface SuggestionRow {
  id: string
  location: string
  partner: string
  kind: string
  asked: string
  comment: string | null
  state: string
  by: string
  at: number
  decided_by: string | null
  decided_at: number | null
  reason: string | null
  revision: number
}

/** The column `asked`. */
interface Asked {
  readonly values: SuggestedValues
  readonly duplicateOf?: string
}

/** Opens the suggestions of users. */
export const createSuggestions = (db: SqlDatabase): SuggestionStore => ({
  create: (suggestion, maxOpen, record) =>
    db.transaction(function* () {
      const { by } = suggestion
      const sql = "SELECT count(*) AS open FROM suggestions WHERE by = @by AND state = 'open'"
      const { open } = (yield* get<{ open: number }>(sql, { by }))!
      if (Number(open) >= maxOpen) return 'too_many'
      const added = yield* run(
        `INSERT INTO suggestions (id, location, partner, kind, asked, comment, state, by, at, revision)
         VALUES (@id, @location, @partner, @kind, @asked, @comment, @state, @by, @at, @revision) ON CONFLICT DO NOTHING`,
        columnsOf(suggestion),
      )
      if (added === 0) return 'repeated'
      yield* writeRecord(record)
      return 'created'
    }),
  get: async (id, visibility) => {
    const { sql, params } = where([...equals('id', 'id', id), ...isVisible('partner', visibility)])
    const row = await db.get<SuggestionRow>(`SELECT * FROM suggestions ${sql}`, params)
    return row && suggestionOf(db, row)
  },
  part: async (visibility, span) =>
    mapPart(await selectSuggestions(db, visibility, span), row => suggestionOf(db, row)),
  decide: (id, revision, { state, by, atMs, reason = null }, record) =>
    db.transaction(function* () {
      const ended = yield* run(
        `UPDATE suggestions SET state = @state, decided_by = @by, decided_at = @atMs, reason = @reason,
           revision = revision + 1
         WHERE id = @id AND revision = @revision AND state = 'open'`,
        { state, by, atMs, reason, id, revision },
      )
      if (ended === 0) return undefined
      yield* writeRecord(record)
      return suggestionOf(db, (yield* get<SuggestionRow>('SELECT * FROM suggestions WHERE id = @id', { id }))!)
    }),
})

const orders = {
  created: 'suggestions.at',
  kind: 'suggestions.kind',
  partner: '(SELECT lower(name) FROM partners WHERE id = suggestions.partner)',
  state: 'suggestions.state',
  decided: 'coalesce(suggestions.decided_at, 0)',
}

const selectSuggestions = (
  db: SqlDatabase,
  visibility: Visibility,
  { states, kind, partnerId, locationId, ...span }: SuggestionSpan,
) =>
  selectPart<SuggestionRow, keyof typeof orders>(db, {
    from: 'suggestions',
    table: 'suggestions',
    orders,
    byDefault: suggestionOrders.byDefault,
    span,
    conditions: [
      ...isVisible('partner', visibility),
      ...isOneOf('state', 'state', states),
      ...equals('kind', 'kind', kind),
      ...equals('partner', 'partner', partnerId),
      ...equals('location', 'location', locationId?.toString()),
    ],
  })

function suggestionOf(db: JsonColumns, row: SuggestionRow): Suggestion {
  const { values, duplicateOf } = db.parseJson<Asked>(row.asked)
  return {
    id: row.id,
    locationId: parseId(row.location)!,
    partnerId: row.partner,
    kind: row.kind as SuggestionKind,
    values,
    ...(duplicateOf !== undefined && { duplicateOf: parseId(duplicateOf)! }),
    ...(row.comment !== null && { comment: row.comment }),
    state: row.state as SuggestionState,
    by: row.by,
    createdMs: row.at,
    ...(row.decided_by !== null && { decidedBy: row.decided_by }),
    ...(row.decided_at !== null && { decidedMs: row.decided_at }),
    ...(row.reason !== null && { reason: row.reason }),
    revision: row.revision,
  }
}

function columnsOf({ values, duplicateOf, ...suggestion }: Suggestion) {
  const asked: Asked = { values, ...(duplicateOf !== undefined && { duplicateOf: String(duplicateOf) }) }
  return {
    id: suggestion.id,
    location: String(suggestion.locationId),
    partner: suggestion.partnerId,
    kind: suggestion.kind,
    asked: JSON.stringify(asked),
    comment: suggestion.comment ?? null,
    state: suggestion.state,
    by: suggestion.by,
    at: suggestion.createdMs,
    revision: suggestion.revision,
  }
}
