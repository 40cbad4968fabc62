import type { Command } from 'commander'
import { getManagementUrl, linkUrl } from '../compose/identity.ts'
import { mailLink } from '../compose/link-mail.ts'
import type { Config } from '../config/load.ts'
import type { User } from '../domain/user.ts'
import { linkResource, type UserResource, userListResource, userResource } from '../resources/user.ts'
import { changeMembership, changeUser, type UserUpdate } from '../usecases/admin/change-user.ts'
import { createOwnerLink, createRecoveryLink } from '../usecases/admin/create-link.ts'
import { eraseUser } from '../usecases/admin/erase-user.ts'
import { findUser, type Identity } from '../usecases/admin/identity.ts'
import { type CreatedLink, inviteUser } from '../usecases/admin/invite-user.ts'
import { listUsers } from '../usecases/admin/list-users.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { UsageError } from './errors.ts'
import { unwrapOrThrow } from './fault-text.ts'
import { withIdentity } from './identity.ts'
import { type CommonFlags, withCommonFlags } from './options.ts'
import { print, textPairs, textTable } from './print.ts'
import { type RevisionFlag, revisionOption } from './revision.ts'

/** `periplus users invite|list|set|disable|enable|erase|link|recover` */
export function addUsersCommand(program: Command): void {
  const users = program.command('users').description('Manages the people who sign in: staff and users of partners.')
  addInvite(users)
  addList(users)
  addSet(users)
  addState(users, 'disable', 'Disables a user and ends the sessions.', 'disabled')
  addState(users, 'enable', 'Enables a disabled user.', 'active')
  addErase(users)
  addLink(users)
  addRecover(users)
}

type ActorFlags = CommonFlags & ActorFlag

/** Adds the flags of a command that changes users. */
const withChangeFlags = (command: Command): Command => withActorFlag(withCommonFlags(command))

function addInvite(users: Command): void {
  withChangeFlags(users.command('invite'))
    .description('Creates a link with which a person becomes a user. It works once, for 24 hours.')
    .argument('<email>', 'e-mail address of the person')
    .requiredOption('--role <role>', 'owner, operator or support; with --partner: admin or member')
    .option('--partner <id>', 'partner whose user the person becomes (default: staff)')
    .action((email: string, flags: ActorFlags & { role: string; partner?: string }) =>
      withIdentity(flags, async (identity, config) => {
        const invitation = { email, role: flags.role, partnerId: flags.partner }
        const created = unwrapOrThrow(await inviteUser(identity, cliActor(flags.actor), invitation))
        await printLink(flags, { identity, config }, created, created.link.email)
      }),
    )
}

/** Sends a link by mail if there is an SMTP server and an address, and prints it. */
async function printLink(
  flags: CommonFlags,
  { identity, config }: { readonly identity: Identity; readonly config: Config },
  created: CreatedLink,
  to?: string,
): Promise<void> {
  const url = linkUrl(getManagementUrl(config), created.token)
  const mail = to === undefined ? 'unset' : await mailLink(config, identity, { to, url, created })
  const shown = linkResource(created.link, url, mail)
  const mailText = {
    sent: `\nIt was sent by mail to ${to}.`,
    failed: `\nThe mail to ${to} could not be sent.`,
    unset: '',
  }
  print(flags.json, shown, () => `Open once, before ${shown.expires_at}:\n${shown.link}${mailText[shown.mail]}`)
}

function addList(users: Command): void {
  withCommonFlags(users.command('list'))
    .description('Lists all users, or those of a partner.')
    .option('--partner <id>', 'partner whose users to list')
    .action((flags: CommonFlags & { partner?: string }) =>
      withIdentity(flags, async identity => {
        const list = userListResource(await listUsers(identity, cliActor(), { partnerId: flags.partner }))
        print(flags.json, list, () =>
          textTable(
            ['id', 'email', 'name', 'role', 'state', 'last sign-in'],
            list.users.map(user => [user.id, user.email, user.name, roleText(user), user.state, user.last_sign_in_at]),
          ),
        )
      }),
    )
}

const roleText = ({ staff_role, memberships }: UserResource): string =>
  staff_role ?? memberships.map(({ partner_id, role }) => `${role} of ${partner_id}`).join(', ')

interface SetFlags extends ActorFlags, RevisionFlag {
  readonly name?: string
  readonly zone?: string
  readonly role?: string
  readonly partner?: string
  readonly leave?: string
}

function addSet(users: Command): void {
  withChangeFlags(users.command('set'))
    .description('Changes a user. A new role ends the sessions.')
    .argument('<user>', 'id or e-mail address of the user')
    .option('--name <text>', 'name of the user')
    .option('--zone <zone>', 'time zone of the pages, such as Europe/Madrid')
    .option('--role <role>', 'owner, operator or support; with --partner: admin or member')
    .option('--partner <id>', 'partner at which the user gets the role')
    .option('--leave <partner>', 'partner that the user leaves')
    .addOption(revisionOption())
    .action((user: string, flags: SetFlags) => {
      if (flags.partner !== undefined && flags.role === undefined)
        throw new UsageError('--partner requires --role admin or --role member.')
      return changeAndPrint(user, flags, (identity, found) => applyFlags(identity, found, flags))
    })
}

/** Applies the flags of `users set`: the change of a membership, or of the user. */
function applyFlags(identity: Identity, found: User, flags: SetFlags) {
  const { name, zone, role, partner, leave, actor, ifRevision } = flags
  const base = { id: found.id, expectedRevision: ifRevision ?? found.revision }
  if (leave !== undefined) return changeMembership(identity, cliActor(actor), { ...base, partnerId: leave })
  if (partner !== undefined && role !== undefined)
    return changeMembership(identity, cliActor(actor), { ...base, partnerId: partner, role })
  const change: UserUpdate['change'] = {
    ...(name !== undefined && { name }),
    ...(zone !== undefined && { zone }),
    ...(role !== undefined && { staffRole: role }),
  }
  return changeUser(identity, cliActor(actor), { ...base, change })
}

function addState(users: Command, name: string, description: string, state: User['state']): void {
  withChangeFlags(users.command(name))
    .description(description)
    .argument('<user>', 'id or e-mail address of the user')
    .addOption(revisionOption())
    .action((user: string, flags: ActorFlags & RevisionFlag) =>
      changeAndPrint(user, flags, (identity, { id, revision }) => {
        const update = { id, expectedRevision: flags.ifRevision ?? revision, change: { state } }
        return changeUser(identity, cliActor(flags.actor), update)
      }),
    )
}

/** Reads a user, changes it and prints the result. */
const changeAndPrint = (
  user: string,
  flags: ActorFlags,
  change: (identity: Identity, found: User) => ReturnType<typeof changeUser>,
): Promise<void> =>
  withIdentity(flags, async identity => {
    const found = unwrapOrThrow(await findUser(identity, cliActor(flags.actor), user))
    const shown = userResource(unwrapOrThrow(await change(identity, found)))
    print(flags.json, shown, () => userText(shown))
  })

function addErase(users: Command): void {
  withChangeFlags(users.command('erase'))
    .description('Removes a user with name, e-mail address, passkeys and sessions.')
    .argument('<user>', 'id or e-mail address of the user')
    .action((user: string, flags: ActorFlags) =>
      withIdentity(flags, async identity => {
        const outcome = unwrapOrThrow(await eraseUser(identity, cliActor(flags.actor), { id: user }))
        print(flags.json, { id: outcome.erased, erased: true }, () => `User ${outcome.erased} was erased.`)
      }),
    )
}

function addLink(users: Command): void {
  withChangeFlags(users.command('link'))
    .description('Creates a link with which a user signs in and sets a password, or a person becomes an owner.')
    .argument('[user]', 'id or e-mail address of the user')
    .option('--owner', 'the person who opens the link becomes an owner')
    .action((user: string | undefined, flags: ActorFlags & { owner?: boolean }) => {
      if ((user === undefined) === (flags.owner !== true)) throw new UsageError('Specify either a user or --owner.')
      return withIdentity(flags, async (identity, config) => {
        const actor = cliActor(flags.actor)
        if (user === undefined)
          return printLink(flags, { identity, config }, unwrapOrThrow(await createOwnerLink(identity, actor)))
        const created = unwrapOrThrow(await createRecoveryLink(identity, actor, { user }))
        await printLink(
          flags,
          { identity, config },
          created,
          unwrapOrThrow(await findUser(identity, actor, user)).email,
        )
      })
    })
}

function addRecover(users: Command): void {
  withChangeFlags(users.command('recover'))
    .description('Removes second factors, passkeys and sessions of a user, and creates a link to sign in.')
    .argument('<user>', 'id or e-mail address of the user')
    .action((user: string, flags: ActorFlags) =>
      withIdentity(flags, async (identity, config) => {
        const actor = cliActor(flags.actor)
        const created = unwrapOrThrow(await createRecoveryLink(identity, actor, { user, reset: true }))
        await printLink(
          flags,
          { identity, config },
          created,
          unwrapOrThrow(await findUser(identity, actor, user)).email,
        )
      }),
    )
}

const userText = (user: UserResource): string =>
  textPairs([
    ['id', user.id],
    ['email', user.email],
    ['name', user.name],
    ['role', roleText(user)],
    ['state', user.state],
    ['zone', user.zone],
    ['last sign-in', user.last_sign_in_at],
  ])
