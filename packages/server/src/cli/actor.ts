import { userInfo } from 'node:os'
import type { Actor } from '../domain/actor.ts'

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
