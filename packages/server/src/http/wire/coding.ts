import { constants } from 'node:zlib'
import fresh from 'fresh'
import Negotiator from 'negotiator'

/** The supported content codings, the smallest body first. */
export const codings = ['br', 'gzip', 'identity'] as const
export type Coding = (typeof codings)[number]

/** The codings that a client accepts, in order of preference; empty when it refuses all of them. */
export type AcceptedCodings = readonly Coding[]

/** A request without the header accepts anything (RFC 9110 §12.5.3); clients that send none can read the plain body. */
const withoutHeader: AcceptedCodings = ['identity', 'br', 'gzip']

/** A smaller body is not coded: that would save no packet. */
const minCodedBytes = 1024

const maxRemembered = 200
const remembered = new Map<string, AcceptedCodings>()

/** Parses an `Accept-Encoding` header. Clients send few different values, so each is parsed once. */
export function parseAcceptEncoding(header: string | undefined): AcceptedCodings {
  if (header === undefined) return withoutHeader
  const known = remembered.get(header)
  if (known) return known
  const accepted = read(header)
  if (remembered.size >= maxRemembered) remembered.clear()
  remembered.set(header, accepted)
  return accepted
}

/** The types of the library lack its option for the preference among codings of equal weight. */
type Preferring = (available: readonly Coding[], how: { readonly preferred: readonly Coding[] }) => Coding[]

function read(header: string): AcceptedCodings {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } })
  return (negotiator.encodings as Preferring).call(negotiator, codings, { preferred: codings })
}

/** Chooses the coding of a body. A client that refuses all codings gets the plain body (RFC 9110 §12.5.3). */
export function chooseCoding(accepted: AcceptedCodings, bytes: number): Coding {
  const first = accepted[0] ?? 'identity'
  return bytes < minCodedBytes && accepted.includes('identity') ? 'identity' : first
}

/** Returns the strong validator of a coded body. Each coding has its own, because its bytes differ. */
export const toCodedEtag = (etag: string, coding: Coding): string =>
  coding === 'identity' ? etag : `${etag.slice(0, -1)}-${coding}"`

/**
 * Finds the coding in which a client has cached a body, by its `If-None-Match` (RFC 9110 §13.1.2: the comparison is weak,
 * `*` matches anything). Tries `preferred` first, then the accepted ones. Undefined when the client has another body, or
 * no body.
 */
export function findCachedCoding(
  ifNoneMatch: string | undefined,
  etag: string,
  accepted: AcceptedCodings,
  preferred: Coding,
): Coding | undefined {
  if (ifNoneMatch === undefined) return undefined
  // Without the client's Cache-Control: a reload, too, gets 304 for a body that has not changed.
  const request = { 'if-none-match': ifNoneMatch.trim() }
  return [preferred, ...accepted].find(coding => fresh(request, { etag: toCodedEtag(etag, coding) }))
}

/** Compression effort: `swift` for a body that is sent once, `best` for one that is kept. */
export type Effort = 'swift' | 'best'

/** The largest body that is coded on the serving thread, in bytes; larger ones are coded noOperation, with less effort. */
export const maxSyncBytes = 32_768

/** Options for gzip. Measured at 4 KB and 15 KB: level 4 takes 48 and 132 µs; level 6 gains 2 to 3 % for up to 1.4 times that. */
export const toGzipOptions = (effort: Effort, bytes: number) => ({
  level: effort === 'best' ? 9 : bytes > maxSyncBytes ? 1 : 4,
})

/**
 * Options for Brotli, with a window no larger than the body. Measured at 4 KB and 15 KB: quality 4 takes 77 and 154 µs and
 * gives 0.44 and 0.31 of the bytes, quality 5 takes 1.3 to 1.5 times that for 4 to 7 % less. At 44 KB quality 1 takes
 * 143 µs and gives 0.32, quality 4 takes 391 µs and gives 0.29.
 */
export const toBrotliOptions = (effort: Effort, bytes: number) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: effort === 'best' ? 9 : bytes > maxSyncBytes ? 1 : 4,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_LGWIN]: Math.max(10, Math.min(22, 32 - Math.clz32(bytes))),
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
  },
})
