import { constants } from 'node:zlib'
import fresh from 'fresh'
import Negotiator from 'negotiator'

/** The supported content codings, in the order of the server's preference. */
export const codings = ['br', 'gzip', 'identity'] as const
export type Coding = (typeof codings)[number]

/** The codings that a client accepts, in order of preference; empty if it accepts none. */
export type AcceptedCodings = readonly Coding[]

/** Accepted codings without the header: any (RFC 9110 §12.5.3), but plain first, which every client can read. */
const withoutHeader: AcceptedCodings = ['identity', 'br', 'gzip']

/** Minimum size of a coded body, in bytes; compressing a smaller one would not save a packet. */
export const minCodedBytes = 1024

const maxCachedHeaders = 200
const parsedHeaders = new Map<string, AcceptedCodings>()

/** Parses an `Accept-Encoding` header. Clients send few different values, so each is parsed once. */
export function parseAcceptEncoding(header: string | undefined): AcceptedCodings {
  if (header === undefined) return withoutHeader
  const known = parsedHeaders.get(header)
  if (known) return known
  const accepted = parse(header)
  if (parsedHeaders.size >= maxCachedHeaders) parsedHeaders.clear()
  parsedHeaders.set(header, accepted)
  return accepted
}

/**
 * Signature of `encodings` with the option `preferred` (order of codings of equal weight), which the library's types
 * lack.
 */
type EncodingsWithPreference = (
  available: readonly Coding[],
  options: { readonly preferred: readonly Coding[] },
) => Coding[]

function parse(header: string): AcceptedCodings {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } })
  return (negotiator.encodings as EncodingsWithPreference).call(negotiator, codings, { preferred: codings })
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
 * Finds the coding in which a client has cached a body, by its `If-None-Match` (RFC 9110 §13.1.2: the comparison is
 * weak, `*` matches anything). Tries `preferred` first, then the accepted ones. Undefined if the client has no current
 * body.
 */
export function findCachedCoding(
  ifNoneMatch: string | undefined,
  etag: string,
  accepted: AcceptedCodings,
  preferred: Coding,
): Coding | undefined {
  if (ifNoneMatch === undefined) return undefined
  // Ignore the client's Cache-Control, so that a reload also gets 304 for an unchanged body.
  const request = { 'if-none-match': ifNoneMatch.trim() }
  return [preferred, ...accepted].find(coding => fresh(request, { etag: toCodedEtag(etag, coding) }))
}

/** Effort: `least` for a list that is sent once, `fast` for a body that may be kept, `best` for a page. */
export type Effort = 'least' | 'fast' | 'best'

/** Returns the maximum body that is compressed on the serving thread; larger ones use the thread pool. */
export const getMaxSyncBytes = (effort: Effort): number =>
  effort === 'least' ? 65_536 : effort === 'fast' ? largeBytes : 0

/** Minimum size of a body that is coded with the least effort in any case, in bytes. */
const largeBytes = 32_768

/** Maximum size of a body that is coded with little effort, in bytes: more effort would hardly save a packet. */
const smallBytes = 4096

/** Returns the smallest window that holds a body, as a power of two. */
const toWindowBits = (bytes: number) => Math.max(10, 32 - Math.clz32(bytes))

const isLeast = (effort: Effort, bytes: number): boolean =>
  effort === 'least' || (effort === 'fast' && bytes > largeBytes)

/**
 * Options for gzip, with a window no larger than the body, and an output buffer in which the result fits: allocating
 * the default sizes takes as long as compressing a small body. Measured at 4 KB and 15 KB: level 4 takes 48 and 132 µs;
 * level 6 saves another 2 to 3 % in up to 1.4 times the time.
 */
export const toGzipOptions = (effort: Effort, bytes: number) => ({
  level: effort === 'best' ? 9 : isLeast(effort, bytes) ? 1 : 4,
  windowBits: Math.min(15, toWindowBits(bytes)),
  memLevel: bytes > smallBytes ? 8 : 5,
  chunkSize: toChunkSize(effort, bytes),
})

/**
 * Options for Brotli, with a window no larger than the body. Measured at 1.7 KB: quality 2 takes 17 µs and compresses
 * to 0.36 of the size, quality 4 43 µs and 0.32. At 4 KB and 15 KB, quality 4 takes 77 and 154 µs and compresses to
 * 0.44 and 0.31; quality 5 saves another 4 to 7 % in 1.3 to 1.5 times the time. At 44 KB, quality 1 takes 143 µs and
 * compresses to 0.32; quality 4 takes 391 µs and compresses to 0.29. Lists: docs/decisions/011-coded-lists.md.
 */
export const toBrotliOptions = (effort: Effort, bytes: number) => ({
  chunkSize: toChunkSize(effort, bytes),
  params: {
    [constants.BROTLI_PARAM_QUALITY]: effort === 'best' ? 9 : isLeast(effort, bytes) ? 1 : bytes > smallBytes ? 4 : 2,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_LGWIN]: Math.min(22, toWindowBits(bytes)),
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
  },
})

/**
 * Size of the output buffer, within the bounds of small allocations and of Node's default: the body, or half of a list,
 * whose members repeat one another. Buffers that are too large make the garbage collector run more often.
 */
const toChunkSize = (effort: Effort, bytes: number) =>
  Math.min(16_384, Math.max(512, effort === 'least' ? bytes >>> 1 : bytes))
