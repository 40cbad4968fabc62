import { type Command, InvalidArgumentError, Option } from 'commander'
import { partnerOrders } from '../domain/key-stores.ts'
import { parseOrder } from '../domain/list-order.ts'
import { type PackageName, packageNames } from '../domain/package.ts'
import { type Partner, type PartnerChange, unitsFromMs } from '../domain/partner.ts'
import {
  type PartnerResource,
  partnerListResource,
  partnerNoteResource,
  partnerResource,
} from '../resources/partner.ts'
import { addNote } from '../usecases/admin/add-note.ts'
import { changePartner } from '../usecases/admin/change-partner.ts'
import { createPartner } from '../usecases/admin/create-partner.ts'
import { getPartner } from '../usecases/admin/get-partner.ts'
import { listNotes } from '../usecases/admin/list-notes.ts'
import { listPartnerPart } from '../usecases/admin/list-partners.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { withAdmin } from './admin.ts'
import { unwrapOrThrow } from './fault-text.ts'
import { type AgreementFlags, agreementWith, scopeWith, withAgreementFlags } from './key-flags.ts'
import { type CommonFlags, withCommonFlags } from './options.ts'
import { print, textPairs, textTable } from './print.ts'
import { type RevisionFlag, revisionOption } from './revision.ts'
import { type SortFlag, sortOption } from './sort-option.ts'

/** `periplus partners create|list|show|set|close|open|note` */
export function addPartnersCommand(program: Command): void {
  const partners = program.command('partners').description('Manages partners: the organisations that hold keys.')
  addCreate(partners)
  addList(partners)
  addShow(partners)
  addSet(partners)
  addState(partners, 'close', 'Closes a partner and permanently revokes its keys.', 'closed')
  addState(partners, 'open', 'Opens a closed partner again; its keys stay revoked.', 'open')
  addNoteCommand(partners)
}

interface CreateFlags extends CommonFlags, ActorFlag {
  readonly email?: string
  readonly externalRef?: string
}

function addCreate(partners: Command): void {
  withActorFlag(withCommonFlags(partners.command('create')))
    .description('Creates a partner.')
    .argument('<name>', 'name of the partner')
    .option('--email <address>', 'email address of the contact')
    .option('--external-ref <text>', 'id of the partner in your systems')
    .action((name: string, { email, externalRef, ...flags }: CreateFlags) =>
      withAdmin(flags, async admin => {
        const input = { name, ...(email !== undefined && { email }), ...(externalRef !== undefined && { externalRef }) }
        const partner = partnerResource(unwrapOrThrow(await createPartner(admin, cliActor(flags.actor), input)))
        print(flags.json, partner, () => partnerText(partner))
      }),
    )
}

function addList(partners: Command): void {
  withCommonFlags(partners.command('list'))
    .description('Lists all partners, oldest first by default.')
    .addOption(sortOption(partnerOrders))
    .action((flags: CommonFlags & SortFlag) =>
      withAdmin(flags, async admin => {
        const list = partnerListResource(
          (
            await listPartnerPart(admin, cliActor(), {
              order: parseOrder(flags.sort, partnerOrders),
              unitsFromMs: unitsFromMs(admin.clock.nowMs()),
            })
          ).rows,
        )
        print(flags.json, list, () =>
          textTable(
            ['id', 'name', 'email', 'external ref'],
            list.partners.map(p => [p.id, p.name, p.email, p.external_ref]),
          ),
        )
      }),
    )
}

function addShow(partners: Command): void {
  withCommonFlags(partners.command('show'))
    .description('Shows one partner.')
    .argument('<id>', 'id of the partner')
    .action((id: string, flags: CommonFlags) =>
      withAdmin(flags, async admin => {
        const partner = partnerResource(unwrapOrThrow(await getPartner(admin, cliActor(), { id })))
        const notes = unwrapOrThrow(await listNotes(admin, cliActor(), { partnerId: id })).map(partnerNoteResource)
        print(flags.json, { ...partner, notes }, () =>
          [partnerText(partner), ...notes.map(note => `${note.at}  ${note.by}\n${note.text}`)].join('\n\n'),
        )
      }),
    )
}

interface SetFlags extends CommonFlags, ActorFlag, RevisionFlag, AgreementFlags {
  readonly name?: string
  /** False for `--no-email`. */
  readonly email?: string | false
  readonly externalRef?: string | false
  readonly package?: PackageName | false
  readonly liveKeys?: number
  readonly zone?: string | false
}

function addSet(partners: Command): void {
  withAgreementFlags(withActorFlag(withCommonFlags(partners.command('set'))))
    .description('Changes a partner, and the terms of the keys that it makes itself. Existing keys keep their terms.')
    .argument('<id>', 'id of the partner')
    .option('--name <text>', 'name of the partner')
    .option('--email <address>', 'email address of the contact')
    .option('--no-email', 'remove the email address')
    .option('--external-ref <text>', 'id of the partner in your systems')
    .option('--no-external-ref', 'remove this id')
    .addOption(new Option('--package <name>', 'package of the keys that the partner makes').choices(packageNames))
    .option('--no-package', 'the partner makes no live keys')
    .option('--live-keys <n>', 'maximum number of live keys that the partner makes', count)
    .option('--zone <name>', 'time zone of the partner, such as Europe/Madrid')
    .option('--no-zone', 'remove the time zone')
    .addOption(revisionOption())
    .action((id: string, flags: SetFlags) => change(id, flags, partner => changeOf(partner, flags)))
}

function addState(partners: Command, name: string, description: string, state: Partner['state']): void {
  withActorFlag(withCommonFlags(partners.command(name)))
    .description(description)
    .argument('<id>', 'id of the partner')
    .addOption(revisionOption())
    .action((id: string, flags: CommonFlags & ActorFlag & RevisionFlag) => change(id, flags, () => ({ state })))
}

function addNoteCommand(partners: Command): void {
  withActorFlag(withCommonFlags(partners.command('note')))
    .description('Adds a note about a partner, which the partner does not see.')
    .argument('<id>', 'id of the partner')
    .argument('<text>', 'the note')
    .action((id: string, text: string, flags: CommonFlags & ActorFlag) =>
      withAdmin(flags, async admin => {
        const input = { partnerId: id, text }
        const note = partnerNoteResource(unwrapOrThrow(await addNote(admin, cliActor(flags.actor), input)))
        print(flags.json, note, () => `Added a note about partner ${id}.`)
      }),
    )
}

/** Reads a partner, changes it from the revision that was read, and prints it. */
const change = (
  id: string,
  flags: CommonFlags & ActorFlag & RevisionFlag,
  changeFrom: (partner: Partner) => PartnerChange,
): Promise<void> =>
  withAdmin(flags, async admin => {
    const actor = cliActor(flags.actor)
    const before = unwrapOrThrow(await getPartner(admin, actor, { id }))
    const update = { id, expectedRevision: flags.ifRevision ?? before.revision, change: changeFrom(before) }
    const partner = partnerResource(unwrapOrThrow(await changePartner(admin, actor, update)))
    print(flags.json, partner, () => partnerText(partner))
  })

/** A flag `--no-…` removes the value. */
const orNull = <T>(value: T | false): T | null => (value === false ? null : value)

const changeOf = (partner: Partner, flags: SetFlags): PartnerChange => ({
  ...(flags.name !== undefined && { name: flags.name }),
  ...(flags.email !== undefined && { email: orNull(flags.email) }),
  ...(flags.externalRef !== undefined && { externalRef: orNull(flags.externalRef) }),
  ...(flags.package !== undefined && { packageName: orNull(flags.package) }),
  ...(flags.liveKeys !== undefined && { liveKeysMax: flags.liveKeys }),
  ...(flags.zone !== undefined && { zone: orNull(flags.zone) }),
  agreement: agreementWith(partner.agreement, flags),
  scope: scopeWith(partner.scope, flags),
})

function count(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Must be an integer of at least 0.')
  return Number(text)
}

const partnerText = (p: PartnerResource): string =>
  textPairs([
    ['id', p.id],
    ['name', p.name],
    ['email', p.email],
    ['external ref', p.external_ref],
    ['package', p.package],
    ['agreement', membersText(p.agreement)],
    ['scope', membersText(p.scope)],
    ['live keys', `${p.live_keys_max} at most`],
    ['time zone', p.zone],
    ['state', p.state],
    ['created', p.created_at],
  ])

/** Formats the members of an agreement or scope; undefined if it has none. */
function membersText(members: object): string | undefined {
  const texts = Object.entries(members).map(([name, value]) => `${name.replaceAll('_', ' ')} ${String(value)}`)
  return texts.length === 0 ? undefined : texts.join(', ')
}
