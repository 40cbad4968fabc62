/** Does the same through the command and through the admin API, and reads what each of them has stored. */
import Database from 'better-sqlite3'
import { expect } from 'vitest'
import { periplus } from '../cli.ts'
import { filesOf } from '../store-files.ts'
import type { World } from '../world.ts'
import type { AdminClient } from './admin-client.ts'

export type Ids = Readonly<Record<string, string>>

/** One use case. `saves` names the id of the created resource for later steps. */
export interface Step {
  readonly name: string
  readonly cli: (ids: Ids) => readonly string[]
  readonly api: (ids: Ids) => readonly [method: string, path: string, body?: object]
  readonly saves?: string
  /** Path of the resource whose revision a change names. */
  readonly of?: (ids: Ids) => string
  /** Status of a refusal, and the exit code of the command: 1 unless named. */
  readonly refused?: number
  readonly exit?: number
}

/** Ids of the resources of each interface, by name. */
type BothIds = Readonly<Record<'cli' | 'api', Record<string, string>>>
type Rows = Readonly<Record<string, string[]>>

export interface Sides {
  readonly ids: BothIds
  /** Runs a step through both interfaces. A refusal has the status and exit code that the step names. */
  run(step: Step): Promise<void>
  /** Returns the rows of the resources of each interface, with the names of ids in place of the ids. */
  rows(): Readonly<Record<'cli' | 'api', Rows>>
}

/** Tables of control.sqlite and data.sqlite, and the columns in which the rows of two interfaces may differ. */
const tables: Readonly<Record<'control' | 'data', Readonly<Record<string, readonly string[]>>>> = {
  control: {
    partners: ['created_ms'],
    notes: ['id', 'at', 'by'],
    keys: ['created_ms'],
    upgrade_requests: ['at', 'by', 'decided_at', 'decided_by'],
    feed_pin_changes: ['at_ms', 'changed_by'],
    forgiven_penalties: ['number', 'at_ms'],
    users: [],
    admin_tokens: ['digest', 'created', 'expires', 'revoked', 'last_used_day'],
    webhook_endpoints: ['created', 'secret', 'previous_secret', 'previous_secret_ends'],
    overrides: ['actor', 'at_ms', 'revision'],
    moderated_reviews: ['at_ms'],
    jobs: ['actor', 'created_ms', 'started_ms', 'ended_ms', 'bytes', 'seconds'],
    import_rejects: ['rejects_file'],
    import_runs: ['seconds'],
    audit: ['seq', 'at', 'actor_kind', 'actor_id', 'via', 'address', 'request_id'],
    outbox: ['seq', 'id', 'at'],
  },
  data: {
    locations: ['updated_ms'],
    merges: [],
    reviews: ['updated_ms'],
    hidden_reviews: [],
    review_totals: ['updated_ms'],
    tombstones: ['at_ms'],
    changes: ['seq', 'at_ms'],
  },
}

/** Creates both sides; `start` has the ids of resources that exist. */
export function createSides(world: World, admin: AdminClient, start: Partial<BothIds> = {}): Sides {
  const ids = { cli: { ...start.cli }, api: { ...start.api } }
  /** All ids so far: a later step may save another id by the same name. */
  const seen: BothIds = { cli: {}, api: {} }
  const collect = () => {
    for (const side of ['cli', 'api'] as const)
      for (const [name, id] of Object.entries(ids[side]))
        if (!Object.values(seen[side]).includes(id)) seen[side][`${name} ${Object.keys(seen[side]).length}`] = id
  }
  const runCli = async ({ cli, saves, refused, exit = 1 }: Step): Promise<void> => {
    const result = await periplus([...cli(ids.cli), '--json', '--data', world.config.data])
    expect([result.code, result.stderr]).toEqual(
      refused ? [exit, expect.stringMatching(/\.\n$/)] : [0, expect.anything()],
    )
    if (saves) ids.cli[saves] = String(result.json().id)
  }
  const runApi = async ({ api, of, saves, refused }: Step): Promise<void> => {
    const revision = of && (await admin.get(of(ids.api))).headers.etag
    const [method, path, sent] = api(ids.api)
    const headers = revision === undefined ? {} : { 'If-Match': revision }
    const { status, body } = await admin.send(method, path, sent, headers)
    expect([refused ? status : status < 300, body.code]).toEqual([
      refused ?? true,
      refused ? expect.any(String) : undefined,
    ])
    if (saves) ids.api[saves] = body.id
  }
  return {
    ids,
    run: async step => {
      await runCli(step)
      await runApi(step)
    },
    rows: () => {
      collect()
      return { cli: readRows(world, seen.cli), api: readRows(world, seen.api) }
    },
  }
}

/** Returns the rows that contain one of the ids. */
function readRows(world: World, ids: Ids): Rows {
  const files = filesOf(world.config.data)
  const found = (['control', 'data'] as const).flatMap(file => {
    const db = new Database(files[file], { readonly: true })
    try {
      return Object.entries(tables[file]).map(([table, omitted]) => {
        const rows = db.prepare(`SELECT * FROM ${table}`).all() as Record<string, unknown>[]
        return [
          table,
          rows
            .map(row => toText(row, omitted))
            .filter(has(ids))
            .map(withNames(ids)),
        ] as const
      })
    } finally {
      db.close()
    }
  })
  return Object.fromEntries(found)
}

/** Members of audit lines that hold the end of a secret. */
const endsMembers = new Set(['others_expire_ms', 'previous_secret_ends_ms'])

/** Returns a row as text. Columns with JSON are objects, so that members can be left out as well. */
const toText = (row: Readonly<Record<string, unknown>>, omitted: readonly string[]): string => {
  const values = Object.entries(row).map(([name, value]) => [name, parsed(value)] as const)
  return JSON.stringify(Object.fromEntries(values), (name, value) =>
    omitted.includes(name) || endsMembers.has(name) ? undefined : value,
  ).replaceAll(/20\d\d-[\d-]*T[\d:.]*Z/g, 'TIME')
}

const parsed = (value: unknown): unknown =>
  typeof value === 'string' && /^[[{]/.test(value) ? (JSON.parse(value) as unknown) : value

const has =
  (ids: Ids) =>
  (text: string): boolean =>
    Object.values(ids).some(id => text.includes(id))

const withNames =
  (ids: Ids) =>
  (text: string): string =>
    Object.entries(ids).reduce((now, [name, id]) => now.replaceAll(id, `<${name}>`), text)
