/** Does the same through the command, the admin API and a form, and reads what each of them has stored. */
import { expect } from 'vitest'
import { periplus } from '../cli.ts'
import { send } from '../http-client.ts'
import { readTable } from '../store-rows.ts'
import type { World } from '../world.ts'
import type { AdminClient } from './admin-client.ts'
import { type Fields, pageClient } from './page-client.ts'
import { fieldsOf } from './page-forms.ts'

export type Ids = Readonly<Record<string, string>>

/** A form of the console or portal, and what is entered. */
export interface FormStep {
  /** True if an admin of the partner sends it. Default: false. */
  readonly isOfPartner?: boolean
  /** Path to which the form is sent. */
  readonly action: string
  readonly fields: Fields
  /** Path of the page that has the form; false if no page has it any more. Default: the path of the form. */
  readonly page?: string | false
  /** Text of the form, where the page has several for the path. */
  readonly having?: string
}

/** One use case. `saves` names the id of the created resource for later steps. */
export interface Step {
  readonly name: string
  readonly cli: (ids: Ids) => readonly string[]
  readonly api: (ids: Ids) => readonly [method: string, path: string, body?: object]
  /** Missing where the console has no form: that side then uses the admin API. */
  readonly form?: (ids: Ids) => FormStep
  readonly saves?: string
  /** Path of the resource whose revision a change names. */
  readonly of?: (ids: Ids) => string
  /** Status of a refusal, and the exit code of the command: 1 unless named. */
  readonly refused?: number
  readonly exit?: number
}

const sides = ['cli', 'api', 'form'] as const
type Side = (typeof sides)[number]
/** Ids of the resources of each interface, by name. */
type SideIds = Readonly<Record<Side, Record<string, string>>>
type Rows = Readonly<Record<string, string[]>>

export interface Sides {
  readonly ids: SideIds
  /** Runs a step through each interface. A refusal has the status and exit code that the step names. */
  run(step: Step): Promise<void>
  /** Returns the rows of the resources of each interface, with the names of ids in place of the ids. */
  rows(): Promise<Readonly<Record<Side, Rows>>>
}

/** Tables of the stores, and the columns in which the rows of two interfaces may differ. */
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

/** Resources that exist before the steps, and the sender of forms. */
interface SidesStart {
  /** Ids of resources. */
  readonly ids?: Partial<SideIds>
  /** Session cookie of the user who sends the forms. */
  readonly cookie?: string
  /** Returns the session cookie of an admin of a partner. */
  readonly cookieOf?: (partner: string) => Promise<string>
}

/** Creates the sides. */
export function createSides(
  world: World,
  admin: AdminClient,
  { ids: start = {}, cookie, cookieOf }: SidesStart = {},
): Sides {
  const ids: SideIds = { cli: { ...start.cli }, api: { ...start.api }, form: { ...start.form } }
  /** All ids so far: a later step may save another id by the same name. */
  const seen: SideIds = { cli: {}, api: {}, form: {} }
  const collect = () => {
    for (const side of sides)
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
  const runApi = async ({ api, of, saves, refused }: Step, side: 'api' | 'form'): Promise<void> => {
    const revision = of && (await admin.get(of(ids[side]))).headers.etag
    const [method, path, sent] = api(ids[side])
    const headers = revision === undefined ? {} : { 'If-Match': revision }
    const { status, body } = await admin.send(method, path, sent, headers)
    expect([refused ? status : status < 300, body.code]).toEqual([
      refused ?? true,
      refused ? expect.any(String) : undefined,
    ])
    if (saves) ids[side][saves] = body.id
  }
  const runForm = async (step: Step, user: string): Promise<void> => {
    if (!step.form) return runApi(step, 'form')
    const form = step.form(ids.form)
    const own = form.isOfPartner ? await cookieOf!(ids.form.partner!) : user
    const { reply, shown } = await sendForm(world, form, own)
    expect([reply.status, shown.match(/role="alert"/)?.[0]]).toEqual(
      step.refused ? [step.refused, expect.anything()] : [303, undefined],
    )
    if (!step.saves) return
    const id = new RegExp(`${step.saves}_[0-9a-f-]{36}`)
    const [found] = id.exec(shown) ?? id.exec((await pageClient(world).get(shown, own)).text)!
    ids.form[step.saves] = found
  }
  return {
    ids,
    run: async step => {
      await runCli(step)
      await runApi(step, 'api')
      if (cookie !== undefined) await runForm(step, cookie)
    },
    rows: async () => {
      collect()
      const rows = {} as Record<Side, Rows>
      for (const side of sides) rows[side] = await readRows(world, seen[side])
      return rows
    },
  }
}

/** Sends a form with the fields of its page, and returns the answer and the page that follows it, with its address. */
async function sendForm(world: World, { action, fields, page = action, having }: FormStep, cookie: string) {
  const { get } = pageClient(world)
  const known = page === false ? {} : fieldsOf((await get(page, cookie)).text, action, having)
  const pairs = Object.entries({ ...known, ...fields }).flatMap(([name, value]) =>
    [value].flat().map(one => [name, one]),
  )
  const reply = await send(world.url, action, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', cookie },
    body: new URLSearchParams(pairs).toString(),
  })
  const { location } = reply.headers
  if (location === undefined) return { reply, shown: reply.text }
  // A new secret is on a page of its own, which links to its key.
  return { reply, shown: location.includes('once=') ? (await get(location, cookie)).text : location }
}

/** Returns the rows that contain one of the ids. */
async function readRows({ config }: World, ids: Ids): Promise<Rows> {
  const found: [table: string, rows: string[]][] = []
  for (const file of ['control', 'data'] as const)
    for (const [table, omitted] of Object.entries(tables[file])) {
      const rows = await readTable(config, file, table)
      const texts = rows
        .map(row => toText(row, omitted))
        .filter(has(ids))
        .map(withNames(ids))
      // The order of rows without a number is that of the engine.
      found.push([table, omitted.includes('seq') ? texts : texts.toSorted()])
    }
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
