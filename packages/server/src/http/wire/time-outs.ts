/**
 * How long a client may take to send a request. What comes slowly is answered 408 and closed within 15 s: the
 * longest of these, and the time until it is noticed.
 */
export const timeOuts = {
  /** The request line and all header fields, milliseconds. */
  headersTimeout: 10_000,
  /** The whole request; what has a body has to send it by then. */
  requestTimeout: 10_000,
  /** Node looks every 30 s unless told otherwise. */
  connectionsCheckingInterval: 1000,
  /** A connection without a request; longer than proxies keep theirs, so that they are the ones to close. */
  keepAliveTimeout: 72_000,
} as const
