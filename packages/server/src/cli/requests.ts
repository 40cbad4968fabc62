import { type Command, InvalidArgumentError } from 'commander'
import { withEngine } from '../compose/engine.ts'
import { composeRequests } from '../compose/requests.ts'
import type { ExplainedRequest } from '../domain/explanation-terms.ts'
import type { CallQuery, LoggedCall } from '../domain/request-log.ts'
import { formatUtc } from '../kit/time.ts'
import { csvText } from '../resources/csv.ts'
import {
  explainedRequestResource,
  refusalResource,
  requestCells,
  requestColumns,
  requestListResource,
  requestResource,
} from '../resources/request.ts'
import { type ExplainedRefusal, listRefusals } from '../usecases/admin/explain-refusals.ts'
import { factsOfCall, findRequest, type Requests } from '../usecases/admin/find-request.ts'
import { listRequests } from '../usecases/admin/list-requests.ts'
import { cliActor } from './actor.ts'
import { unwrapOrThrow } from './fault-text.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'
import { print, textPairs, textTable } from './print.ts'
import { sinceOption } from './since.ts'

type StatusFlag = Pick<CallQuery, 'statusFrom' | 'statusTo'>

interface ListFlags extends CommonFlags {
  readonly partner?: string
  readonly key?: string
  readonly status?: StatusFlag
  readonly operation?: string
  readonly fault?: string
  readonly since?: number
  readonly limit: number
  readonly csv?: boolean
}

/** `periplus requests list|show` */
export function addRequestsCommand(program: Command): void {
  const requests = program.command('requests').description('Shows recent calls of partners, and explains a response.')
  withCommonFlags(requests.command('list'))
    .description('Lists calls, the newest first, and counts calls that were refused before metering.')
    .option('--partner <id>', 'only calls of this partner')
    .option('--key <id>', 'only calls of this key')
    .option('--status <status>', 'only calls with this status, such as 429 or 4xx', status)
    .option('--operation <name>', 'only calls of this operation, such as getLocation')
    .option('--fault <code>', 'only calls with this error, such as rate_limited')
    .addOption(sinceOption('calls'))
    .option('--limit <n>', 'at most this many calls', limit, 50)
    .option('--csv', 'print comma-separated values')
    .action((flags: ListFlags) => withRequests(flags, parts => list(parts, flags)))
  withCommonFlags(requests.command('show <id>'))
    .description('Shows a call by its request id, and explains its response.')
    .action((id: string, flags: CommonFlags) =>
      withRequests(flags, async parts => {
        const found = unwrapOrThrow(await findRequest(parts, cliActor(), { id }))
        print(flags.json, explainedRequestResource(found), () => explainedText(found))
      }),
    )
}

async function withRequests(flags: CommonFlags, work: (parts: Requests) => Promise<void>): Promise<void> {
  const { config } = loadCommandConfig(flags)
  await withEngine(config, { create: false }, engine => work(composeRequests(engine, config)))
}

/** Calls that are read at a time. */
const pageCalls = 200

async function list(parts: Requests, flags: ListFlags): Promise<void> {
  const { partner: partnerId, key: keyId, since: fromMs, operation, fault } = flags
  const calls: LoggedCall[] = []
  for (let after: string | undefined; calls.length < flags.limit; ) {
    const input = { partnerId, keyId, fromMs, operation, fault, ...flags.status, after }
    const pageLimit = Math.min(pageCalls, flags.limit - calls.length)
    const page = unwrapOrThrow(await listRequests(parts, cliActor(), { ...input, limit: pageLimit }))
    calls.push(...page.rows)
    if (page.next === undefined) break
    after = page.next
  }
  if (flags.csv && !flags.json) {
    process.stdout.write(csvText([requestColumns, ...calls.map(call => requestCells(requestResource(call)))]))
    return
  }
  const refused = await listRefusals(parts, cliActor(), { partnerId, keyId, fromMs, limit: pageCalls })
  const refusals = unwrapOrThrow(refused).rows
  const countedToMs = await parts.requests.countedToMs()
  print(flags.json, requestListResource(calls, refusals, countedToMs), () => listText(calls, refusals, countedToMs))
}

function listText(
  calls: readonly LoggedCall[],
  refusals: readonly ExplainedRefusal[],
  countedToMs: number | undefined,
): string {
  if (countedToMs === undefined) return 'No calls yet. The service fills the request log while it runs.'
  const table = textTable(
    ['when', 'request', 'key', 'operation', 'version', 'status', 'units', 'ms', 'why'],
    calls.map(call => {
      const { at, id, key_id, operation, version, units, duration_ms, fault } = requestResource(call)
      return [at, id, key_id, operation, version, call.status, units, duration_ms, fault]
    }),
  )
  const counted = `Counted up to ${formatUtc(countedToMs)}.`
  if (refusals.length === 0) return `${table}\n\n${counted}`
  const before = textTable(
    ['hour', 'key', 'why', 'version', 'calls', 'last'],
    refusals.map(row => {
      const { hour, key_id, code, version, calls: times, last_at } = refusalResource(row)
      return [hour, key_id, code, version, times, last_at]
    }),
  )
  const reasons = refusals.map(({ keyId, explanation: { code, sentence } }) => `${keyId} ${code}: ${sentence}`)
  return `${table}\n\nRefused before metering:\n${before}\n\n${[...new Set(reasons)].join('\n')}\n\n${counted}`
}

function explainedText(found: ExplainedRequest): string {
  const { sentence, remedy } = found.explanation
  return [textPairs(factsOfCall(found)), '', sentence, ...(remedy === undefined ? [] : [remedy])].join('\n')
}

function status(text: string): StatusFlag {
  if (/^[1-5]xx$/i.test(text)) return { statusFrom: Number(text[0]) * 100, statusTo: Number(text[0]) * 100 + 99 }
  if (!/^[1-5]\d\d$/.test(text)) throw new InvalidArgumentError('Must be a status such as 429, or a class such as 4xx.')
  return { statusFrom: Number(text), statusTo: Number(text) }
}

function limit(text: string): number {
  const value = Number(text)
  if (!/^\d{1,6}$/.test(text) || value < 1) throw new InvalidArgumentError('Must be an integer from 1 to 999999.')
  return value
}
