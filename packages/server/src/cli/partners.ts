import type { Command } from 'commander'
import type { PartnerChange } from '../domain/partner.ts'
import { type PartnerResource, partnerListResource, partnerResource } from '../resources/partner.ts'
import { changePartner } from '../usecases/admin/change-partner.ts'
import { createPartner } from '../usecases/admin/create-partner.ts'
import { getPartner } from '../usecases/admin/get-partner.ts'
import { listPartners } from '../usecases/admin/list-partners.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { withAdmin } from './admin.ts'
import { unwrapOrThrow } from './fault-text.ts'
import { type CommonFlags, withCommonFlags } from './options.ts'
import { print, textPairs, textTable } from './print.ts'
import { type RevisionFlag, revisionOption } from './revision.ts'

/** `periplus partners create|list|show|set` */
export function addPartnersCommand(program: Command): void {
  const partners = program.command('partners').description('Manages partners: the organisations that hold keys.')
  addCreate(partners)
  addList(partners)
  addShow(partners)
  addSet(partners)
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
    .description('Lists all partners.')
    .action((flags: CommonFlags) =>
      withAdmin(flags, async admin => {
        const list = partnerListResource(await listPartners(admin, cliActor()))
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
        print(flags.json, partner, () => partnerText(partner))
      }),
    )
}

interface SetFlags extends CommonFlags, ActorFlag, RevisionFlag {
  readonly name?: string
  /** False for `--no-email`. */
  readonly email?: string | false
  readonly externalRef?: string | false
}

function addSet(partners: Command): void {
  withActorFlag(withCommonFlags(partners.command('set')))
    .description('Changes a partner.')
    .argument('<id>', 'id of the partner')
    .option('--name <text>', 'name of the partner')
    .option('--email <address>', 'email address of the contact')
    .option('--no-email', 'remove the email address')
    .option('--external-ref <text>', 'id of the partner in your systems')
    .option('--no-external-ref', 'remove this id')
    .addOption(revisionOption())
    .action((id: string, flags: SetFlags) =>
      withAdmin(flags, async admin => {
        const actor = cliActor(flags.actor)
        const { revision } = unwrapOrThrow(await getPartner(admin, actor, { id }))
        const update = { id, expectedRevision: flags.ifRevision ?? revision, change: changeOf(flags) }
        const partner = partnerResource(unwrapOrThrow(await changePartner(admin, actor, update)))
        print(flags.json, partner, () => partnerText(partner))
      }),
    )
}

const changeOf = ({ name, email, externalRef }: SetFlags): PartnerChange => ({
  ...(name !== undefined && { name }),
  ...(email !== undefined && { email: email === false ? null : email }),
  ...(externalRef !== undefined && { externalRef: externalRef === false ? null : externalRef }),
})

const partnerText = (p: PartnerResource): string =>
  textPairs([
    ['id', p.id],
    ['name', p.name],
    ['email', p.email],
    ['external ref', p.external_ref],
    ['created', p.created_at],
  ])
