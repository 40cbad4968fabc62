/**
 * Time-outs for clients that send a request. A slow request is answered with 408 and closed within 15 s: the longest
 * of these and the time until the next check.
 */
export const timeOuts = {
  /** The request line and all header fields, milliseconds. */
  headersTimeout: 10_000,
  /** The whole request, including its body. */
  requestTimeout: 10_000,
  /** Interval of the checks; Node's default is 30 s. */
  connectionsCheckingInterval: 1000,
  /** A connection without a request; longer than proxies keep theirs, so that the proxy closes first. */
  keepAliveTimeout: 72_000,
} as const
