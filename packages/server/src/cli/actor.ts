import { userInfo } from 'node:os'
import { type Command, InvalidArgumentError } from 'commander'
import type { Actor } from '../domain/actor.ts'

/** The flag of every command that changes something. */
export interface ActorFlag {
  readonly actor?: string
}

/** Adds --actor. */
export const withActorFlag = (command: Command): Command =>
  command.option('--actor <name>', 'person or program responsible for the change (default: the system user)', actorName)

function actorName(text: string): string {
  const name = text.trim()
  if (name === '' || name.length > 200) throw new InvalidArgumentError('Must be a name of 1 to 200 characters.')
  return name
}

/** Returns the actor of a command: the system user, or the name passed as a flag. */
export const cliActor = (name: string = systemUser()): Actor => ({ kind: 'cli', id: name, via: 'cli' })

/** Returns the name of the system user; its number if the user has no name, as in some containers. */
function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
