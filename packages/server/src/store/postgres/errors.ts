import { StoreFailure, type StoreFailureKind } from '../../domain/store-errors.ts'
import { findTlsProblem, tlsTexts } from '../../kit/tls-errors.ts'
import { loadPg } from './driver.ts'

/** Rests of the messages of failures that are temporary or due to the configuration. */
const texts = {
  unreachable: 'cannot be reached. Check that PostgreSQL runs and that its address is right.',
  refused: 'refuses the user or its password. Check both, and the rules of PostgreSQL for its clients.',
  absent: 'does not exist. Create it, and start again.',
  stopping: 'is starting or shutting down. Try again later.',
  crowded: 'has no free connection. Try again later, or raise max_connections of PostgreSQL.',
  slow: 'did not answer in time. Try again later, and check the load of PostgreSQL.',
  full: 'cannot be written: the disk of PostgreSQL is full. Free some disk space and try again.',
  standby: 'cannot be written: it is a standby, or read-only. Use the address of the primary.',
  forbidden: 'cannot be used: its user lacks a permission. Make the user the owner of the database.',
  disk: 'cannot be read or written: the disk of PostgreSQL reports an error. Check its log.',
  upgraded: 'was upgraded while it was in use. Try again.',
  moved: 'takes no changes: its contents have moved to a data folder. Use that folder.',
  memory: 'has no memory left. Try again later, and check the load of PostgreSQL.',
  unencrypted:
    'has no rule for its user from this machine without TLS. Add sslmode=verify-full to the address, or a rule to pg_hba.conf.',
  ...tlsTexts,
} as const

/** The texts of failures that end when the server can be used again. */
const outageTexts = [
  'unreachable',
  'refused',
  'absent',
  'stopping',
  'crowded',
  'slow',
  'memory',
  'unencrypted',
  ...(Object.keys(tlsTexts) as (keyof typeof tlsTexts)[]),
] as const

/**
 * Returns true for the failure of a server that cannot be used at the moment, also after it has been sent by a thread,
 * which keeps only the message.
 */
export const isOutage = (error: unknown): boolean =>
  error instanceof Error &&
  error.message.startsWith('Database ') &&
  outageTexts.some(name => error.message.endsWith(texts[name]))

type Cause = readonly [kind: StoreFailureKind, text?: keyof typeof texts]

/** Causes by SQLSTATE, or by its class (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const causes: Readonly<Record<string, Cause>> = {
  '08': ['unavailable', 'unreachable'],
  '25006': ['read_only', 'standby'],
  '25P03': ['unavailable', 'slow'],
  '28': ['unavailable', 'refused'],
  '3D': ['unavailable', 'absent'],
  '40': ['busy'],
  '42501': ['read_only', 'forbidden'],
  '53100': ['disk_full', 'full'],
  '53200': ['unavailable', 'memory'],
  '53300': ['unavailable', 'crowded'],
  '55P03': ['busy'],
  '57014': ['unavailable', 'slow'],
  '57': ['unavailable', 'stopping'],
  '58030': ['io', 'disk'],
  PM001: ['read_only', 'moved'],
  XX001: ['damaged'],
  XX002: ['damaged'],
}

/** Errors that the driver throws without a code. */
const driverErrors: readonly (readonly [pattern: RegExp, cause: Cause])[] = [
  [/^(timeout exceeded when trying to connect|Query read timeout)/, ['unavailable', 'slow']],
  [/^SASL/, ['unavailable', 'refused']],
  [/^The server does not support SSL/, ['unavailable', 'withoutTls']],
  [/^Connection terminated|^Client (has encountered a connection error|was closed)/, ['unavailable', 'unreachable']],
]

/** Creates the failure of a wait for a free connection that took too long. */
export const noFreeConnection = (store: string): StoreFailure =>
  new StoreFailure('unavailable', store, { text: texts.crowded })

/**
 * Returns the failure that an error of the driver reports; undefined for any other error. `whileConnecting`: an error of
 * the system or of TLS without a code of PostgreSQL also counts.
 */
export function toPostgresFailure(error: unknown, store: string, whileConnecting = false): StoreFailure | undefined {
  if (error instanceof StoreFailure) return error
  const cause = findCause(error, whileConnecting)
  if (!cause) return undefined
  const [kind, name] = cause
  return new StoreFailure(kind, store, { cause: error, ...(name && { text: texts[name] }) })
}

function findCause(error: unknown, whileConnecting: boolean): Cause | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof loadPg().DatabaseError) {
    const code = error.code ?? ''
    // A column was added to a table after the statement had been prepared.
    if (error.routine === 'RevalidateCachedQuery') return ['unavailable', 'upgraded']
    if (/^no pg_hba\.conf entry .* no encryption$/.test(error.message)) return ['unavailable', 'unencrypted']
    return causes[code] ?? causes[code.slice(0, 2)]
  }
  const known = driverErrors.find(([pattern]) => pattern.test(error.message))?.[1]
  const problem = findTlsProblem(error)
  if (problem) return ['unavailable', problem]
  const { code, syscall } = error as NodeJS.ErrnoException
  // An AggregateError has the errors of all addresses of a host, and no system call.
  const isSystemError = code !== undefined && (syscall !== undefined || whileConnecting)
  return known ?? (isSystemError ? ['unavailable', 'unreachable'] : undefined)
}
