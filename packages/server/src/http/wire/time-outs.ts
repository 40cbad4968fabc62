/**
 * Time-outs for clients, in milliseconds. A slow request gets 408 and its connection is closed within 15 s: the
 * longest of the request time-outs plus the time until the next check.
 */
export const timeOuts = {
  /** The request line and all header fields. */
  headersTimeout: 10_000,
  /** The whole request, including its body. */
  requestTimeout: 10_000,
  /** Interval of the checks; Node's default is 30 s. */
  connectionsCheckingInterval: 1000,
  /** An idle connection; longer than the idle time-out of common proxies, so that the proxy closes first. */
  keepAliveTimeout: 72_000,
} as const
