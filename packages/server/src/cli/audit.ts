import { type Command, InvalidArgumentError } from 'commander'
import { withEngine } from '../compose/engine.ts'
import type { StoredAuditLine } from '../domain/audit-log.ts'
import { parseOrder, timeOrders } from '../domain/list-order.ts'
import { auditCells, auditColumns, auditLineResource, auditListResource } from '../resources/audit.ts'
import { csvText } from '../resources/csv.ts'
import { type AuditStores, listAudit } from '../usecases/admin/list-audit.ts'
import { cliActor } from './actor.ts'
import { unwrapOrThrow } from './fault-text.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'
import { print, textTable } from './print.ts'
import { sinceOption } from './since.ts'
import { type SortFlag, sortOption } from './sort-option.ts'

/** Lines that are read at a time. */
const pageLines = 200

interface ListFlags extends CommonFlags, SortFlag {
  readonly partner?: string
  readonly actor?: string
  readonly action?: string
  readonly target?: string
  readonly since?: number
  readonly limit?: number
  readonly csv?: boolean
}

/** `periplus audit list` */
export function addAuditCommand(program: Command): void {
  const audit = program.command('audit').description('Shows who changed what.')
  withCommonFlags(audit.command('list'))
    .description('Lists all changes, the newest first by default.')
    .option('--partner <id>', 'only changes of what this partner has')
    .option('--actor <name>', 'only changes by this user, token or system user')
    .option('--action <name>', 'only changes of this kind, such as key.create')
    .option('--target <id>', 'only changes of this resource')
    .addOption(sinceOption('changes'))
    .option('--limit <n>', 'at most this many changes', limit)
    .addOption(sortOption(timeOrders))
    .option('--csv', 'print comma-separated values')
    .action((flags: ListFlags) => {
      const { config } = loadCommandConfig(flags)
      return withEngine(config, { create: false }, async engine => {
        if (flags.csv && !flags.json) await printCsv(engine, flags)
        else show(flags, await collect(engine, flags))
      })
    })
}

async function printCsv(stores: AuditStores, flags: ListFlags): Promise<void> {
  process.stdout.write(csvText([auditColumns]))
  for await (const lines of pages(stores, flags)) process.stdout.write(csvText(lines.map(auditCells)))
}

function show(flags: ListFlags, lines: readonly StoredAuditLine[]): void {
  print(flags.json, auditListResource(lines), () =>
    lines.length === 0
      ? 'No changes yet.'
      : textTable(
          ['when', 'who', 'by', 'partner', 'action', 'target', 'changed'],
          lines.map(line => {
            const { at, actor_id, via, partner_id, action, target } = auditLineResource(line)
            return [at, actor_id, via, partner_id, action, target, changedText(line)]
          }),
        ),
  )
}

/** Formats the members that differ, with values as in `package: growth -> scale`. */
function changedText({ before = {}, after = {} }: StoredAuditLine): string {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.map(name => `${name}: ${[before[name], after[name]].flatMap(valueText).join(' -> ')}`).join('; ')
}

const valueText = (value: unknown): string[] =>
  value === undefined ? [] : [typeof value === 'string' ? value : JSON.stringify(value)]

async function collect(stores: AuditStores, flags: ListFlags): Promise<StoredAuditLine[]> {
  const all: StoredAuditLine[] = []
  for await (const lines of pages(stores, flags)) all.push(...lines)
  return all
}

async function* pages(stores: AuditStores, flags: ListFlags): AsyncGenerator<readonly StoredAuditLine[]> {
  const { partner: partnerId, actor: actorId, action, target, since: fromMs } = flags
  const order = parseOrder(flags.sort, timeOrders)
  let left = flags.limit ?? Number.POSITIVE_INFINITY
  for (let after: number | undefined; left > 0; ) {
    const input = { partnerId, actorId, action, target, fromMs, order, after, limit: Math.min(left, pageLines) }
    const { lines, next } = unwrapOrThrow(await listAudit(stores, cliActor(), input))
    yield lines
    if (next === undefined) return
    left -= lines.length
    after = next
  }
}

function limit(text: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('Must be an integer of at least 1.')
  return value
}
