/** Options of `pageHeaders`. */
export interface PagePolicy {
  /** Origins of the operator's logo and map tiles. */
  readonly imageOrigins: readonly string[]
  /** Origin of the partner API, if pages call it at another address than their own. */
  readonly apiOrigin?: string | undefined
  /** True for pages that belong to a user: no cache may keep them. */
  readonly isPrivate: boolean
}

/**
 * Returns the headers of an HTML page. Its policy permits only the service's own scripts and styles, and images of the
 * operator. The referrer policy `same-origin` keeps the Origin of forms, which `no-referrer` would drop.
 */
export function pageHeaders({ imageOrigins, apiOrigin, isPrivate }: PagePolicy): Readonly<Record<string, string>> {
  const list = (...sources: readonly (string | undefined)[]) => sources.filter(Boolean).join(' ')
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${list("'self'", 'data:', ...imageOrigins)}`,
    "font-src 'self'",
    `connect-src ${list("'self'", apiOrigin)}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': isPrivate ? 'no-store' : 'no-cache',
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  }
}
