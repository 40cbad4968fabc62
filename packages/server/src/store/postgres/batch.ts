import type { KeyObject } from 'node:crypto'
import type { Id } from '../../domain/id.ts'
import { mergeField } from '../../domain/override.ts'
import { type Batch, createTotalsBatch } from '../rows/batch.ts'
import { createDecisions, type Decisions } from '../rows/decision-rules.ts'
import { createLocationWriter, type LocationWriter } from '../rows/location-rules.ts'
import { createOverrides, type StoredOverrides } from '../rows/override-rules.ts'
import type { FullReviewRow } from '../rows/review-row.ts'
import type { StoredReviews } from '../rows/review-rules.ts'
import { LoadedDecisions } from './loaded-decisions.ts'
import { LoadedOverrides } from './loaded-overrides.ts'
import { LoadedPlaces, type StoredPlace } from './loaded-places.ts'
import { LoadedReviews, writeHidden, writeShown } from './loaded-reviews.ts'
import { locks } from './locks.ts'
import type { PostgresSession } from './pool.ts'
import { RecordedChanges } from './recorded-changes.ts'
import { fullReviewColumnsOf, readReviews, reviewColumnsOf } from './review-rows.ts'

interface StateRow {
  readonly last_seq: bigint
  readonly has_decisions: boolean
  readonly has_overrides: boolean
  readonly has_tombstones: boolean
}

const state = `
  SELECT coalesce((SELECT max(seq) FROM changes), 0) AS last_seq,
    EXISTS (SELECT 1 FROM moderated_reviews) OR EXISTS (SELECT 1 FROM erasures) AS has_decisions,
    EXISTS (SELECT 1 FROM overrides) AS has_overrides,
    EXISTS (SELECT 1 FROM tombstones) AS has_tombstones`

/** Waits until no other transaction writes records; none begins until this one ends. */
export async function lockData(session: PostgresSession): Promise<void> {
  await session.query('SELECT pg_advisory_xact_lock($1)', [locks.data])
}

/** Settings of a batch. */
export interface BatchOptions {
  readonly pepper: KeyObject
  readonly atMs: number
  /** False in a dry run, which is rolled back: no change is recorded. */
  readonly isRecorded?: boolean
}

/**
 * A batch of writes in a transaction. The caller loads the rows that the rules read, applies the rules, which work in
 * memory, and writes the differences: the number of statements does not grow with the number of records.
 */
export class PostgresBatch implements Batch {
  readonly atMs: number
  readonly changes: RecordedChanges
  readonly totals: Batch['totals']
  readonly hasDecisions: boolean
  readonly hasOverrides: boolean
  readonly places: LoadedPlaces
  readonly reviews: StoredReviews & { readonly shown: LoadedReviews; readonly hidden: LoadedReviews }
  readonly overrides: LoadedOverrides
  readonly decisionRows: LoadedDecisions
  readonly decisions: Decisions
  readonly #session: PostgresSession
  readonly #state: StateRow
  readonly #isRecorded: boolean

  private constructor(session: PostgresSession, found: StateRow, { pepper, atMs, isRecorded = true }: BatchOptions) {
    const { json } = session
    this.#session = session
    this.#state = found
    this.#isRecorded = isRecorded
    this.atMs = atMs
    this.hasDecisions = found.has_decisions
    this.hasOverrides = found.has_overrides
    this.changes = new RecordedChanges(atMs)
    this.places = new LoadedPlaces(json)
    this.totals = createTotalsBatch(this.places.totals, atMs, this.changes)
    this.reviews = { shown: new LoadedReviews(), hidden: new LoadedReviews(), parseJson: text => json.parseJson(text) }
    this.overrides = new LoadedOverrides(found.has_overrides, json)
    this.decisionRows = new LoadedDecisions(found.has_decisions)
    this.decisions = createDecisions(this.decisionRows, pepper)
  }

  /** Opens a batch in the transaction of a session, which has the lock of data unless nothing is recorded. */
  static async open(session: PostgresSession, options: BatchOptions): Promise<PostgresBatch> {
    const [found] = await session.query<StateRow>(state)
    return new PostgresBatch(session, found!, options)
  }

  /** Returns the rules of locations over what has been loaded. */
  createLocationWriter(): LocationWriter {
    const overrides: StoredOverrides = createOverrides(this.overrides)
    return createLocationWriter(this.places.locations, overrides)
  }

  /** Loads reviews, decisions about them, and the totals of their places and of `locationIds`. */
  async loadReviews(ids: readonly Id[], locationIds: readonly Id[]): Promise<void> {
    const { shown, hidden } = this.reviews
    const rows = await readReviews(this.#session, ids)
    shown.load(rows)
    const hiddenRows = this.hasDecisions ? await this.#readHidden(ids) : []
    hidden.load(hiddenRows)
    await this.decisionRows.loadStates(this.#session, ids)
    const places = new Set(locationIds)
    for (const row of [...rows, ...hiddenRows]) places.add(row.location_id)
    const sql = 'SELECT id, totals, is_ranked FROM locations WHERE id = ANY($1)'
    this.places.load(await this.#session.query<StoredPlace>(sql, [[...places]]))
  }

  /**
   * Loads locations that are written, their merges and overrides, and the reviews of those that are removed or merged.
   * `others` are the targets of merges.
   */
  async loadPlaces(ids: readonly Id[], ended: readonly Id[], others: readonly Id[]): Promise<void> {
    await this.overrides.load(this.#session, ids)
    const merged = ids.flatMap(id => this.overrides.of(id).filter(({ field }) => field === mergeField))
    const targets = merged.map(({ value }) => BigInt(this.overrides.parseJson<string>(value)))
    const near = new Set([...ids, ...others, ...targets])
    const merges = await this.#session.query<{ from_id: Id; to_id: Id }>(
      'SELECT from_id, to_id FROM merges WHERE from_id = ANY($1) UNION SELECT from_id, to_id FROM merges WHERE to_id = ANY($1)',
      [[...near]],
    )
    this.places.loadMerges(merges)
    for (const { to_id: to } of merges) near.add(to)
    this.places.load(
      await this.#session.query<StoredPlace>(
        'SELECT id, source, country, category, record, updated_ms, totals, is_ranked FROM locations WHERE id = ANY($1)',
        [[...near]],
      ),
    )
    const withReviews = [...ended, ...merged.map(({ location }) => location)]
    if (withReviews.length === 0) return
    const sql = `SELECT ${reviewColumnsOf('reviews')} FROM reviews WHERE location_id = ANY($1) ORDER BY id`
    this.places.loadReviews(await this.#session.query<FullReviewRow>(sql, [withReviews]))
  }

  /** Writes everything that has changed. */
  async write(): Promise<void> {
    const session = this.#session
    this.totals.flush()
    await this.decisionRows.write(session)
    await this.overrides.write(session)
    await this.places.writeSteps(session)
    await writeShown(session, this.reviews.shown.changes(), this.places.isRanked)
    await writeHidden(session, this.reviews.hidden.changes())
    await this.places.write(session)
    if (this.#isRecorded) await this.changes.write(session, this.#state.last_seq, this.#state.has_tombstones)
  }

  #readHidden(ids: readonly Id[]): Promise<FullReviewRow[]> {
    const sql = `SELECT ${fullReviewColumnsOf('hidden_reviews')} FROM hidden_reviews WHERE id = ANY($1)`
    return this.#session.query<FullReviewRow>(sql, [ids])
  }
}
