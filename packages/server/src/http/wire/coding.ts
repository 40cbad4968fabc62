import { constants } from 'node:zlib'
import fresh from 'fresh'
import Negotiator from 'negotiator'

/** Content codings that are sent, the smallest body first. */
export const codings = ['br', 'gzip', 'identity'] as const
export type Coding = (typeof codings)[number]

/** Codings that a client takes, the one to use first; none when it refuses them all. */
export type Accepted = readonly Coding[]

/** A request without the header takes anything (RFC 9110 §12.5.3); what such clients can read is the plain body. */
const unsaid: Accepted = ['identity', 'br', 'gzip']

/** Below this many bytes a coded body saves no packet. */
const leastBytes = 1024

const mostRemembered = 200
const remembered = new Map<string, Accepted>()

/** What an `Accept-Encoding` takes. Clients send few different ones: each is read once. */
export function acceptedCodings(header: string | undefined): Accepted {
  if (header === undefined) return unsaid
  const known = remembered.get(header)
  if (known) return known
  const accepted = read(header)
  if (remembered.size >= mostRemembered) remembered.clear()
  remembered.set(header, accepted)
  return accepted
}

/** The library's types are older than its preference among codings of one weight. */
type Preferring = (available: readonly Coding[], how: { readonly preferred: readonly Coding[] }) => Coding[]

function read(header: string): Accepted {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } })
  return (negotiator.encodings as Preferring).call(negotiator, codings, { preferred: codings })
}

/** The coding for a body of so many bytes. Whoever refuses all codings gets the plain body (RFC 9110 §12.5.3). */
export function codingFor(accepted: Accepted, bytes: number): Coding {
  const first = accepted[0] ?? 'identity'
  return bytes < leastBytes && accepted.includes('identity') ? 'identity' : first
}

/** The strong validator of a coded body: each coding has its own bytes, and so its own. */
export const tagOf = (etag: string, coding: Coding): string =>
  coding === 'identity' ? etag : `${etag.slice(0, -1)}-${coding}"`

/**
 * The coding in which a client still holds a body, by its `If-None-Match` (RFC 9110 §13.1.2: the comparison is weak,
 * `*` matches anything): of those that it takes, `preferred` first. Undefined when it holds another body, or none.
 */
export function heldCoding(
  ifNoneMatch: string | undefined,
  etag: string,
  accepted: Accepted,
  preferred: Coding,
): Coding | undefined {
  if (ifNoneMatch === undefined) return undefined
  // Without the client's Cache-Control: a reload, too, gets 304 for a body that has not changed.
  const request = { 'if-none-match': ifNoneMatch.trim() }
  return [preferred, ...accepted].find(coding => fresh(request, { etag: tagOf(etag, coding) }))
}

/** How hard to try: `swift` for what is made for one answer, `best` for what is kept for many. */
export type Effort = 'swift' | 'best'

/** A larger body is coded with less effort, and not on the serving thread. */
export const mostBytesAtOnce = 32_768

/** zlib's level. Measured at 4 KB and 15 KB: level 4 takes 48 and 132 µs, level 6 gains 2 to 3 % for up to 1.4 times that. */
export const gzipOptions = (effort: Effort, bytes: number) => ({
  level: effort === 'best' ? 9 : bytes > mostBytesAtOnce ? 1 : 4,
})

/**
 * Brotli's quality, with a window no larger than the body. Measured at 4 KB and 15 KB: quality 4 takes 77 and 154 µs and
 * gives 0.44 and 0.31 of the bytes, quality 5 takes 1.3 to 1.5 times that for 4 to 7 % less. At 44 KB quality 1 takes
 * 143 µs and gives 0.32, quality 4 takes 391 µs and gives 0.29.
 */
export const brotliOptions = (effort: Effort, bytes: number) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: effort === 'best' ? 9 : bytes > mostBytesAtOnce ? 1 : 4,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_LGWIN]: Math.max(10, Math.min(22, 32 - Math.clz32(bytes))),
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
  },
})
