/** Options of `pageHeaders`. */
export interface PagePolicy {
  /** Origin of the operator's map tiles. */
  readonly tileOrigin?: string | undefined
  /** Origin of the partner API, if pages call it at another address than their own. */
  readonly apiOrigin?: string | undefined
  /** True for pages that belong to a user: no cache may keep them. */
  readonly isPrivate: boolean
}

/**
 * Returns the headers of an HTML page. Its policy permits own scripts, styles and images alone. The referrer policy
 * `same-origin` keeps the Origin of forms, which `no-referrer` would drop.
 */
export function pageHeaders({ tileOrigin, apiOrigin, isPrivate }: PagePolicy): Readonly<Record<string, string>> {
  const list = (...sources: readonly (string | undefined)[]) => sources.filter(Boolean).join(' ')
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${list("'self'", 'data:', tileOrigin)}`,
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
