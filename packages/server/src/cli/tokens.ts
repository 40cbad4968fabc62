import { type Command, InvalidArgumentError } from 'commander'
import { createdTokenResource, type TokenResource, tokenListResource, tokenResource } from '../resources/token.ts'
import { createToken } from '../usecases/admin/create-token.ts'
import { listTokens } from '../usecases/admin/list-tokens.ts'
import { revokeToken } from '../usecases/admin/revoke-token.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { withAdmin } from './admin.ts'
import { UsageError } from './errors.ts'
import { unwrapOrThrow } from './fault-text.ts'
import { endOf } from './key-bounds-flags.ts'
import { type CommonFlags, withCommonFlags } from './options.ts'
import { print, textPairs, textTable } from './print.ts'

/** `periplus tokens create|list|revoke` */
export function addTokensCommand(program: Command): void {
  const tokens = program.command('tokens').description('Manages tokens of the admin API.')
  addCreate(tokens)
  addList(tokens)
  addRevoke(tokens)
}

interface CreateFlags extends CommonFlags, ActorFlag {
  readonly name?: string
  readonly permission?: string[]
  readonly partner?: string
  readonly expires?: number
}

function addCreate(tokens: Command): void {
  withActorFlag(withCommonFlags(tokens.command('create')))
    .description('Creates a token and prints its secret, which cannot be shown again.')
    .argument('[name]', 'purpose of the token')
    .option('--name <text>', 'purpose of the token, instead of the argument')
    .option('--permission <names...>', 'permissions of the token, such as keys:read')
    .option('--partner <id>', 'the only partner that the token sees (default: all partners)')
    .option('--expires <time>', 'end, such as 90d or 2027-06-30; a year at most (default 90d)', tokenEnd)
    .action((argument: string | undefined, flags: CreateFlags) =>
      withAdmin(flags, async admin => {
        const name = nameOf(argument, flags.name)
        const nowMs = admin.clock.nowMs()
        const { permission: permissions = [], partner: partnerId, expires: expiresMs } = flags
        const input = { name, permissions, partnerId, expiresMs }
        const created = unwrapOrThrow(await createToken(admin, cliActor(flags.actor), input))
        const shown = createdTokenResource(created, nowMs)
        print(
          flags.json,
          shown,
          () => `${tokenText(shown)}\n\nThe secret, which cannot be shown again:\n${shown.token}`,
        )
      }),
    )
}

function nameOf(argument: string | undefined, flag: string | undefined): string {
  const name = argument ?? flag
  if (name === undefined) throw new UsageError('Specify the purpose of the token with --name TEXT.')
  if (argument !== undefined && flag !== undefined)
    throw new UsageError('Specify the purpose of the token once: as the argument or with --name.')
  return name
}

/** Parses the end of a token, in milliseconds since 1970. */
function tokenEnd(text: string): number {
  const end = endOf(text)
  if (end === 'never') throw new InvalidArgumentError('A token ends within a year. Specify a time such as 365d.')
  return end
}

function addList(tokens: Command): void {
  withCommonFlags(tokens.command('list'))
    .description('Lists all tokens.')
    .action((flags: CommonFlags) =>
      withAdmin(flags, async admin => {
        const list = tokenListResource(await listTokens(admin, cliActor()), admin.clock.nowMs())
        print(flags.json, list, () =>
          textTable(
            ['id', 'name', 'state', 'partner', 'expires', 'last used', 'permissions'],
            list.tokens.map(token => [
              token.id,
              token.name,
              token.state,
              token.partner_id,
              token.expires_at,
              token.last_used_day,
              token.permissions.join(' '),
            ]),
          ),
        )
      }),
    )
}

function addRevoke(tokens: Command): void {
  withActorFlag(withCommonFlags(tokens.command('revoke')))
    .description('Permanently revokes a token.')
    .argument('<id>', 'id of the token')
    .action((id: string, flags: CommonFlags & ActorFlag) =>
      withAdmin(flags, async admin => {
        const token = unwrapOrThrow(await revokeToken(admin, cliActor(flags.actor), { id }))
        const shown = tokenResource(token, admin.clock.nowMs())
        print(flags.json, shown, () => tokenText(shown))
      }),
    )
}

const tokenText = (token: TokenResource): string =>
  textPairs([
    ['id', token.id],
    ['name', token.name],
    ['permissions', token.permissions.join(', ')],
    ['partner', token.partner_id],
    ['state', token.state],
    ['expires', token.expires_at],
    ['last used', token.last_used_day],
  ])
