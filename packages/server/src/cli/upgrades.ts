import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Admin } from '../compose/admin.ts'
import { parseOrder } from '../domain/list-order.ts'
import { addOnPermissions, type PackageName, type Permission, packageNames, type Quota } from '../domain/package.ts'
import {
  type UpgradeAsk,
  type UpgradeRequest,
  type UpgradeState,
  upgradeOrders,
  upgradeStates,
} from '../domain/upgrade.ts'
import { type UpgradeResource, upgradeListResource, upgradeResource } from '../resources/upgrade.ts'
import { approveUpgrade } from '../usecases/admin/approve-upgrade.ts'
import { declineUpgrade } from '../usecases/admin/decline-upgrade.ts'
import { findUpgrade } from '../usecases/admin/find-upgrade.ts'
import { listUpgradePart } from '../usecases/admin/list-upgrades.ts'
import { openUpgrade } from '../usecases/admin/open-upgrade.ts'
import { withdrawUpgrade } from '../usecases/admin/withdraw-upgrade.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { withAdmin } from './admin.ts'
import { UsageError } from './errors.ts'
import { unwrapOrThrow } from './fault-text.ts'
import { type AgreementFlags, agreementWith, withLimitFlags } from './key-flags.ts'
import { type CommonFlags, withCommonFlags } from './options.ts'
import { print, textTable } from './print.ts'
import { type RevisionFlag, revisionOption } from './revision.ts'
import { type SortFlag, sortOption } from './sort-option.ts'

type ChangeFlags = CommonFlags & ActorFlag & RevisionFlag

/** `periplus upgrades list|show|open|withdraw|approve|decline` */
export function addUpgradesCommand(program: Command): void {
  const upgrades = program
    .command('upgrades')
    .description('Manages the requests of partners for packages, add-ons, quotas and live keys.')
  addList(upgrades)
  addShow(upgrades)
  addOpen(upgrades)
  addApprove(upgrades)
  addDecline(upgrades)
  withActorFlag(withCommonFlags(upgrades.command('withdraw')))
    .description('Withdraws an open request on behalf of the partner.')
    .argument('<id>', 'id of the request')
    .addOption(revisionOption())
    .action((id: string, flags: ChangeFlags) =>
      decideOn(id, flags, (admin, expectedRevision) =>
        withdrawUpgrade(admin, cliActor(flags.actor), { id, expectedRevision }),
      ),
    )
}

function addList(upgrades: Command): void {
  withCommonFlags(upgrades.command('list'))
    .description('Lists open requests, the newest first by default.')
    .option('--partner <id>', 'only requests of this partner')
    .addOption(
      new Option('--state <state>', 'only requests in this state; "all" for all of them').choices([
        ...upgradeStates,
        'all',
      ]),
    )
    .addOption(sortOption(upgradeOrders))
    .action((flags: CommonFlags & SortFlag & { partner?: string; state?: UpgradeState | 'all' }) =>
      withAdmin(flags, async admin => {
        const { partner: partnerId, state = 'open' } = flags
        const states = state === 'all' ? undefined : [state]
        const order = parseOrder(flags.sort, upgradeOrders)
        const { rows } = await listUpgradePart(admin, cliActor(), { partnerId, states, order })
        const list = upgradeListResource(rows)
        print(flags.json, list, () =>
          textTable(
            ['id', 'partner', 'key', 'asks for', 'state', 'created', 'reason'],
            list.upgrades.map(one => [
              one.id,
              one.partner_id,
              one.key_id,
              askedText(one),
              one.state,
              one.created_at,
              one.reason,
            ]),
          ),
        )
      }),
    )
}

function addShow(upgrades: Command): void {
  withCommonFlags(upgrades.command('show'))
    .description('Shows one request.')
    .argument('<id>', 'id of the request')
    .action((id: string, flags: CommonFlags) =>
      withAdmin(flags, async admin => {
        printUpgrade(flags, unwrapOrThrow(await findUpgrade(admin.upgrades, cliActor(), id)))
      }),
    )
}

interface OpenFlags extends CommonFlags, ActorFlag {
  readonly key?: string
  readonly partner?: string
  readonly package?: PackageName
  readonly addOn?: Permission
  readonly quota?: Quota
  readonly reason: string
}

function addOpen(upgrades: Command): void {
  withActorFlag(withCommonFlags(upgrades.command('open')))
    .description('Opens a request on behalf of a partner: for one key, or for one more live key of the partner.')
    .option('--key <id>', 'key whose package, add-on or quota is requested')
    .option('--partner <id>', 'partner that requests one more live key')
    .addOption(new Option('--package <name>', 'requested package').choices(packageNames))
    .addOption(new Option('--add-on <name>', 'requested add-on').choices([...addOnPermissions]))
    .option('--quota <n>', 'requested units per 24 hours, or unlimited', quota)
    .requiredOption('--reason <text>', 'why the partner requests it')
    .action((flags: OpenFlags) =>
      withAdmin(flags, async admin => {
        const { key: keyId, partner: partnerId, reason } = flags
        const input = { ask: askOf(flags), keyId, partnerId, reason }
        printUpgrade(flags, unwrapOrThrow(await openUpgrade(admin, cliActor(flags.actor), input)))
      }),
    )
}

function askOf({ key, partner, package: packageName, addOn, quota: units }: OpenFlags): UpgradeAsk {
  if ((key === undefined) === (partner === undefined)) throw new UsageError('Specify --key or --partner.')
  if (partner !== undefined && (addOn !== undefined || units !== undefined))
    throw new UsageError('--add-on and --quota belong to a key: use --key.')
  if (partner !== undefined) return { kind: 'live_key', ...(packageName !== undefined && { packageName }) }
  const asks: UpgradeAsk[] = [
    ...(packageName === undefined ? [] : [{ kind: 'package' as const, packageName }]),
    ...(addOn === undefined ? [] : [{ kind: 'add_on' as const, addOn }]),
    ...(units === undefined ? [] : [{ kind: 'quota' as const, quota: units }]),
  ]
  const [ask, ...others] = asks
  if (!ask || others.length > 0) throw new UsageError('Specify one of --package, --add-on and --quota.')
  return ask
}

function quota(text: string): Quota {
  if (text === 'unlimited') return text
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Must be an integer of at least 1, or unlimited.')
  return Number(text)
}

function addApprove(upgrades: Command): void {
  withLimitFlags(withActorFlag(withCommonFlags(upgrades.command('approve'))))
    .description('Approves a request and changes the key; agreed limits override what was requested.')
    .argument('<id>', 'id of the request')
    .option('--answer <text>', 'answer to the partner')
    .addOption(revisionOption())
    .action((id: string, flags: ChangeFlags & AgreementFlags & { answer?: string }) =>
      decideOn(id, flags, (admin, expectedRevision) =>
        approveUpgrade(admin, cliActor(flags.actor), {
          id,
          expectedRevision,
          answer: flags.answer,
          agreement: agreementWith({}, flags),
        }),
      ),
    )
}

function addDecline(upgrades: Command): void {
  withActorFlag(withCommonFlags(upgrades.command('decline')))
    .description('Declines a request.')
    .argument('<id>', 'id of the request')
    .requiredOption('--answer <text>', 'answer to the partner')
    .addOption(revisionOption())
    .action((id: string, flags: ChangeFlags & { answer: string }) =>
      decideOn(id, flags, (admin, expectedRevision) =>
        declineUpgrade(admin, cliActor(flags.actor), { id, expectedRevision, answer: flags.answer }),
      ),
    )
}

/** Reads a request, ends it from the revision that was read, and prints it. */
const decideOn = (
  id: string,
  flags: ChangeFlags,
  decide: (admin: Admin, expectedRevision: number) => ReturnType<typeof withdrawUpgrade>,
): Promise<void> =>
  withAdmin(flags, async admin => {
    const { revision } = unwrapOrThrow(await findUpgrade(admin.upgrades, cliActor(flags.actor), id))
    printUpgrade(flags, unwrapOrThrow(await decide(admin, flags.ifRevision ?? revision)))
  })

function printUpgrade(flags: CommonFlags, request: UpgradeRequest): void {
  const shown = upgradeResource(request)
  print(flags.json, shown, () => {
    const subject = shown.key_id ?? `partner ${shown.partner_id}`
    const answer = shown.answer === undefined ? '' : `\nAnswer: ${shown.answer}`
    return `Request ${shown.id} of ${subject} for ${askedText(shown)} is ${shown.state}.\nReason: ${shown.reason}${answer}`
  })
}

function askedText({ kind, package: packageName, add_on, quota: units }: UpgradeResource): string {
  if (kind === 'package') return `package ${packageName}`
  if (kind === 'add_on') return `add-on ${add_on}`
  if (kind === 'quota') return `quota ${units}`
  return packageName === undefined ? 'a live key' : `a live key in ${packageName}`
}
