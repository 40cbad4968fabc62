import type { S3ServiceException } from '@aws-sdk/client-s3'
import { StoreError, StoreFailure, type StoreFailureKind } from '../../domain/store-errors.ts'

/** Rests of the messages of failures. */
const texts = {
  unreachable: 'cannot be reached. Check that the S3 store runs and that its endpoint is right.',
  slow: 'did not answer in time, or is overloaded. Try again later, and check the load of the S3 store.',
  credentials:
    'cannot be used without credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this machine a role.',
  refused:
    'refuses the credentials or the action. Check them, and that they may list, read, write and delete objects of the bucket.',
  bucket: 'cannot be used: its bucket does not exist. Create it, and start again.',
  region: 'cannot be used without its region. Add region=NAME to the address, or set AWS_REGION.',
  elsewhere: 'is in another region. Correct region=NAME in the address, or AWS_REGION.',
  clock: 'refuses requests because the clock of this machine differs from its own. Correct the clock.',
  full: 'cannot be written: the S3 store has no space left. Free some space and try again.',
  failed: 'reports an error of its own. Try again later, and check the log of the S3 store.',
  unexpected: 'refuses a request that it should accept. Check that its address is one of an S3 store.',
} as const

type Cause = readonly [kind: StoreFailureKind, text: keyof typeof texts]

/** Causes by the name of an error, of the store or of its client. */
const byName: Readonly<Record<string, Cause>> = {
  NoSuchBucket: ['unavailable', 'bucket'],
  CredentialsProviderError: ['unavailable', 'credentials'],
  PermanentRedirect: ['unavailable', 'elsewhere'],
  AuthorizationHeaderMalformed: ['unavailable', 'elsewhere'],
  IllegalLocationConstraintException: ['unavailable', 'elsewhere'],
  RequestTimeTooSkewed: ['unavailable', 'clock'],
  QuotaExceeded: ['disk_full', 'full'],
  XMinioStorageFull: ['disk_full', 'full'],
  SlowDown: ['unavailable', 'slow'],
  TimeoutError: ['unavailable', 'slow'],
}

const byStatus: Readonly<Record<number, Cause>> = {
  301: ['unavailable', 'elsewhere'],
  401: ['unavailable', 'refused'],
  403: ['unavailable', 'refused'],
  408: ['unavailable', 'slow'],
  429: ['unavailable', 'slow'],
  503: ['unavailable', 'slow'],
  507: ['disk_full', 'full'],
}

/** Returns the HTTP status of an answer that is an error; undefined for any other error. */
export const statusOf = (error: unknown): number | undefined =>
  (error as Partial<S3ServiceException> | undefined)?.$metadata?.httpStatusCode

/** Returns true for an answer that means that a key does not exist. */
export const isMissingKey = (error: unknown): boolean =>
  statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket'

/** Returns the failure that an error of the client of S3 reports; the same error if it reports none. */
export function toS3Failure(error: unknown, store: string): unknown {
  if (error instanceof StoreError || !(error instanceof Error)) return error
  const cause = findCause(error)
  return cause ? new StoreFailure(cause[0], store, { cause: error, text: texts[cause[1]] }) : error
}

function findCause(error: Error): Cause | undefined {
  const known = byName[error.name]
  if (known) return known
  if (error.message === 'Region is missing') return ['unavailable', 'region']
  const status = statusOf(error)
  if (status !== undefined)
    return byStatus[status] ?? ['unavailable', status >= 500 ? 'failed' : status < 300 ? 'unreachable' : 'unexpected']
  const { code, path } = error as NodeJS.ErrnoException
  // An error with a path concerns a local file.
  return code !== undefined && path === undefined && !code.startsWith('ERR_')
    ? ['unavailable', 'unreachable']
    : undefined
}
