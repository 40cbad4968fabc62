import type { Command } from 'commander'
import { sessionListResource } from '../resources/user.ts'
import { type EndingSessions, endSessions, listSessions } from '../usecases/admin/sessions.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { UsageError } from './errors.ts'
import { unwrapOrThrow } from './fault-text.ts'
import { withIdentity } from './identity.ts'
import { type CommonFlags, withCommonFlags } from './options.ts'
import { print, textTable } from './print.ts'

/** `periplus sessions list|end` */
export function addSessionsCommand(program: Command): void {
  const sessions = program.command('sessions').description('Lists and ends the sessions of users.')
  addList(sessions)
  addEnd(sessions)
}

function addList(sessions: Command): void {
  withCommonFlags(sessions.command('list'))
    .description('Lists open sessions.')
    .option('--user <user>', 'id or e-mail address of a user')
    .action((flags: CommonFlags & { user?: string }) =>
      withIdentity(flags, async identity => {
        const found = unwrapOrThrow(await listSessions(identity, cliActor(), { user: flags.user }))
        const list = sessionListResource(found)
        print(flags.json, list, () =>
          textTable(
            ['id', 'user', 'signed in', 'last request', 'address', 'browser'],
            list.sessions.map(one => [one.id, one.user_id, one.created_at, one.seen_at, one.address, one.agent]),
          ),
        )
      }),
    )
}

interface EndFlags extends CommonFlags, ActorFlag {
  readonly user?: string
  readonly all?: boolean
}

function addEnd(sessions: Command): void {
  withActorFlag(withCommonFlags(sessions.command('end')))
    .description('Ends a session, all sessions of a user, or all sessions.')
    .argument('[id]', 'id of the session')
    .option('--user <user>', 'id or e-mail address of the user whose sessions end')
    .option('--all', 'end all sessions of all users')
    .action((id: string | undefined, flags: EndFlags) => {
      const which = endingOf(id, flags)
      return withIdentity(flags, async identity => {
        const outcome = unwrapOrThrow(await endSessions(identity, cliActor(flags.actor), which))
        print(flags.json, outcome, () => `Ended sessions: ${outcome.ended}.`)
      })
    })
}

function endingOf(id: string | undefined, { user, all }: EndFlags): EndingSessions {
  const given = [id, user, all].filter(value => value !== undefined)
  if (given.length !== 1) throw new UsageError('Specify one of a session, --user USER and --all.')
  if (id !== undefined) return { id }
  return user !== undefined ? { user } : { all: true }
}
