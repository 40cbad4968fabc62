import { mergedFiles, mergedPosition } from './merged-ledger.ts'

/** The file of the data folder that has a table. */
export type MovedStore = 'control' | 'data' | 'downloads'

/** A table of PostgreSQL whose rows come from a data folder. */
export interface MovedTable {
  readonly name: string
  readonly store: MovedStore
  /** Columns in whose order rows are read; none for a table with a single row. */
  readonly key: readonly string[]
  /** The table that SQLite reads instead of that of the same name. */
  readonly from?: string
  /** The expressions that SQLite reads instead of the columns of the same name. `@node` is the id of the folder. */
  readonly columns?: Readonly<Record<string, string>>
  /** Columns that only a database has. */
  readonly ofDatabase?: readonly string[]
  /** Selects the rows of a data folder from those of all nodes, where these differ (merged-ledger.ts). */
  readonly merged?: string
}

const inData = (name: string, ...key: string[]): MovedTable => ({ name, store: 'data', key })
const inControl = (name: string, ...key: string[]): MovedTable => ({ name, store: 'control', key })

/** Records and the change log. */
export const dataTables: readonly MovedTable[] = [
  {
    ...inData('locations', 'id'),
    columns: {
      updated_ms:
        'max(t.updated_ms, coalesce((SELECT updated_ms FROM review_totals WHERE location_id = t.id), 0)) AS updated_ms',
      is_ranked: "iif(t.id IN (SELECT location_id FROM ranked_locations), 'true', 'false') AS is_ranked",
      totals: '(SELECT totals FROM review_totals WHERE location_id = t.id) AS totals',
    },
  },
  inData('merges', 'from_id'),
  inData('merged_keys', 'key', 'from_id'),
  inData('reviews', 'location_id', 'id'),
  { ...inData('review_places', 'id'), from: 'reviews' },
  inData('hidden_reviews', 'id'),
  inData('review_ranks', 'location_id', 'id'),
  inData('tombstones', 'kind', 'id'),
  inData('changes', 'seq'),
]

const node = { node: '@node AS node' }
const rollUpKey = 'from_ms key_id operation version version_explicit status billable partner_id'.split(' ')

/** Ids, keys, partners, people, decisions, records of changes and the ledger. A table follows those that it names. */
export const controlTables: readonly MovedTable[] = [
  inControl('sources', 'no'),
  inControl('record_ids', 'kind', 'source_no', 'source_id'),
  inControl('id_counters', 'kind'),
  inControl('moderated_reviews', 'id'),
  inControl('erasures', 'digest'),
  inControl('moderated_photos', 'photo'),
  inControl('overrides', 'location', 'field'),
  inControl('partners', 'id'),
  inControl('notes', 'rowid'),
  inControl('keys', 'id'),
  inControl('key_secrets', 'digest'),
  inControl('feed_pin_changes', 'rowid'),
  inControl('forgiven_penalties', 'number'),
  inControl('revision'),
  inControl('upgrade_requests', 'rowid'),
  inControl('admin_tokens', 'id'),
  inControl('idempotency', 'token', 'key_digest'),
  inControl('users', 'id'),
  inControl('memberships', 'user', 'partner'),
  inControl('sessions', 'digest'),
  inControl('suggestions', 'id'),
  inControl('links', 'digest'),
  inControl('sign_ins', 'digest'),
  inControl('passkeys', 'id'),
  inControl('recovery_codes', 'user', 'digest'),
  inControl('audit', 'seq'),
  inControl('outbox', 'seq'),
  inControl('webhook_endpoints', 'id'),
  inControl('deliveries', 'no'),
  inControl('event_positions'),
  inControl('event_mails', 'no'),
  inControl('jobs', 'id'),
  inControl('syncs', 'name'),
  inControl('import_rejects', 'job', 'rejects_file'),
  inControl('import_runs', 'job'),
  inControl('usage_exports', 'from_ms', 'key_id', 'operation', 'partner_id', 'part'),
  inControl('usage_export_days', 'day_ms'),
  inControl('usage_slots', ...rollUpKey),
  inControl('usage_eighths', ...rollUpKey),
  inControl('usage_days', ...rollUpKey),
  {
    ...inControl('limit_states', 'subject', 'bucket'),
    columns: { ...node, last_us: '0 AS last_us' },
    ofDatabase: ['node', 'last_us'],
  },
  { ...inControl('usage_files', 'file'), columns: node, ofDatabase: ['node'], merged: mergedFiles },
  {
    ...inControl('usage_position'),
    columns: { ...node, instance: 'NULL AS instance', ended: "'false' AS ended" },
    ofDatabase: ['node', 'instance', 'ended'],
    merged: mergedPosition,
  },
  { name: 'feed_downloads', store: 'downloads', key: ['key_id', 'at_ms', 'snapshot'], from: 'downloads' },
]

/** Columns that PostgreSQL numbers. The next number follows the largest one that the table has ever had. */
export const numberedColumns: readonly (readonly [table: string, column: string])[] = [
  ['sources', 'no'],
  ['notes', 'rowid'],
  ['feed_pin_changes', 'rowid'],
  ['forgiven_penalties', 'number'],
  ['upgrade_requests', 'rowid'],
  ['audit', 'seq'],
  ['outbox', 'seq'],
  ['deliveries', 'no'],
  ['event_mails', 'no'],
]
