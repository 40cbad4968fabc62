import type { Command } from 'commander'
import { v7 as uuidv7 } from 'uuid'
import { composeAdmin } from '../compose/admin.ts'
import type { Partner } from '../domain/partner.ts'
import { type CommonFlags, configOf, withCommonFlags } from './options.ts'
import { Failed } from './outcome.ts'
import { print, textPairs, textTable } from './print.ts'

/** `periplus partners create|list|show` */
export function addPartnersCommand(program: Command): void {
  const partners = program.command('partners').description('who holds keys')

  withCommonFlags(partners.command('create'))
    .description('make a partner')
    .argument('<name>', 'how the partner is called')
    .option('--email <address>', 'whom to write to')
    .option('--external-ref <text>', 'how your own systems call the partner')
    .action(async (name: string, flags: CommonFlags & { email?: string; externalRef?: string }) => {
      const admin = composeAdmin(configOf(flags).config)
      const partner: Partner = {
        id: `partner_${uuidv7()}`,
        name,
        ...(flags.email !== undefined && { email: flags.email }),
        ...(flags.externalRef !== undefined && { externalRef: flags.externalRef }),
        createdMs: admin.clock.nowMs(),
      }
      await admin.keys.createPartner(partner)
      admin.close()
      print(flags.json, shown(partner), () => human(partner))
    })

  withCommonFlags(partners.command('list'))
    .description('all partners')
    .action(async (flags: CommonFlags) => {
      const admin = composeAdmin(configOf(flags).config)
      const all = await admin.keys.partners()
      admin.close()
      print(flags.json, { partners: all.map(shown) }, () =>
        textTable(
          ['id', 'name', 'email', 'external ref'],
          all.map(p => [p.id, p.name, p.email, p.externalRef]),
        ),
      )
    })

  withCommonFlags(partners.command('show'))
    .description('one partner')
    .argument('<id>', 'id of the partner')
    .action(async (id: string, flags: CommonFlags) => {
      const admin = composeAdmin(configOf(flags).config)
      const partner = await admin.keys.partner(id)
      admin.close()
      if (!partner) throw new Failed(`There is no partner ${id}; 'periplus partners list' shows all.`)
      print(flags.json, shown(partner), () => human(partner))
    })
}

const shown = (p: Partner) => ({
  id: p.id,
  name: p.name,
  email: p.email,
  external_ref: p.externalRef,
  created_at: new Date(p.createdMs).toISOString(),
})

const human = (p: Partner) =>
  textPairs([
    ['id', p.id],
    ['name', p.name],
    ['email', p.email],
    ['external ref', p.externalRef],
    ['created', new Date(p.createdMs).toISOString()],
  ])
