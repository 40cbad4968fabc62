import { StatesUnavailable } from '../../domain/limit-states.ts'
import { findTlsProblem, tlsTexts } from '../../kit/tls-errors.ts'
import { ConnectionClosed, tooSlow } from './connection.ts'
import { ReplyError } from './resp.ts'

/** Rests of messages by the code with which a reply of Valkey or Redis begins. */
const replyTexts: Readonly<Record<string, string>> = {
  NOAUTH: 'requires a password. Set PERIPLUS_VALKEY_PASSWORD.',
  WRONGPASS: 'refuses the user or the password. Check limits.shared and PERIPLUS_VALKEY_PASSWORD.',
  NOPERM: 'forbids its user a command. Allow all commands on the keys p and p:*, and INFO, TIME and scripts.',
  DENIED: 'is in protected mode. Set a password there (requirepass), and PERIPLUS_VALKEY_PASSWORD.',
  NOREPLICAS: 'has fewer replicas than its min-replicas-to-write. Start these, or lower the setting.',
  LOADING: 'is loading its data.',
  OOM: 'has no memory left. Raise its maxmemory.',
  READONLY: 'is a replica.',
}

/** Rests of messages by the code of an error of the system. */
const systemTexts: Readonly<Record<string, string>> = {
  EHOSTUNREACH: 'cannot be reached. Check its address and the network.',
  ETIMEDOUT: 'does not answer.',
  ENOTFOUND: 'has no address. Check the name of the host.',
  ECONNREFUSED: 'refuses connections. Check that it runs, and its port.',
}

/**
 * Converts an error of a connection or reply to StatesUnavailable, whose message names the server. `hint`: a sentence
 * for a server that ends the connection, or does not answer, and gives no reason.
 */
export function toUnavailable(error: unknown, name: string, hint = ''): unknown {
  if (error instanceof ReplyError) return new StatesUnavailable(`${name} ${explainReply(error.message)}`)
  if (error instanceof StatesUnavailable && !(error instanceof ConnectionClosed)) return error
  const cause = error instanceof ConnectionClosed ? error.cause : error
  const text = explainEnd(cause) ?? `${cause === tooSlow ? 'does not answer.' : 'closed the connection.'} ${hint}`
  return new StatesUnavailable(`${name} ${text.trimEnd()}`, { cause })
}

function explainReply(message: string): string {
  const [code = ''] = message.split(' ', 1)
  const text = replyTexts[code]
  if (text !== undefined) return text
  if (/^ERR AUTH .*without any password/.test(message))
    return 'has no password. Set it there (requirepass), or remove PERIPLUS_VALKEY_PASSWORD.'
  // What follows repeats words of the command, such as a password.
  return `refuses a command: ${message.split(', with args', 1)[0]!.replace(/\.?$/, '.')}`
}

function explainEnd(cause: unknown): string | undefined {
  const problem = findTlsProblem(cause)
  return problem ? tlsTexts[problem] : systemTexts[(cause as NodeJS.ErrnoException | undefined)?.code ?? '']
}
