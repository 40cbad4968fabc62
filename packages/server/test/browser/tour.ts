import { pageRoutes } from '../../src/management/pages/page-routes.ts'

/** The reader of a page: anybody, or a person of the demo. */
export type Reader = 'anybody' | 'operator' | 'partner'

/** A page of a running demo. */
export interface TourPage {
  /** Route of the page: `/portal/:partner/keys/:id`. */
  readonly route: string
  /** Path with its query, as a link named it. */
  readonly path: string
  readonly reader: Reader
}

const publicRoutes = [
  ...['/', '/places', '/places/:id', '/places/:id/reviews', '/status'],
  ...['/docs', '/docs/:page', '/changelog/:version', '/portal/sign-in'],
]
const profileRoutes = ['/portal', '/portal/profile']

interface Candidate {
  readonly route: string
  readonly reader: Reader
  readonly pattern: RegExp
}

const toPattern = (route: string): RegExp => new RegExp(`^${route.replace(/\/$/, '').replaceAll(/:\w+/g, '[^/?]+')}/?$`)

const candidates: readonly Candidate[] = [
  ...publicRoutes.map(route => ({ route, reader: 'anybody' as const })),
  ...profileRoutes.map(route => ({ route, reader: 'partner' as const })),
  ...pageRoutes
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => ({
      route: path,
      reader: path.startsWith('/console') ? ('operator' as const) : ('partner' as const),
    })),
].map(candidate => ({ ...candidate, pattern: toPattern(candidate.route) }))

/**
 * Follows the links of a demo from its first pages, and returns one page of each route. Pages of the documentation are
 * all returned, because each has its own content. `visit` fetches a page in place of `fetch`.
 */
export async function findPages(
  url: string,
  cookies: Readonly<Record<'operator' | 'partner', string>>,
  visit: (url: string, options: RequestInit) => Promise<Response> = fetch,
): Promise<TourPage[]> {
  const found = new Map<string, TourPage>()
  const own = candidates.map(({ route }) => route.replace(':partner', 'demo'))
  const waiting = own.filter(path => !path.includes(':'))
  const seen = new Set(waiting)
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const page = toPage(path)
    if (!page || found.has(keyOf(page))) continue
    const cookie = page.reader === 'anybody' ? '' : cookies[page.reader]
    const reply = await visit(url + path, { headers: { cookie, accept: 'text/html' } })
    if (!reply.headers.get('content-type')?.startsWith('text/html') || reply.status !== 200) continue
    found.set(keyOf(page), page)
    for (const link of linksOf(await reply.text(), url)) {
      if (!seen.has(link)) waiting.push(link)
      seen.add(link)
    }
  }
  return [...found.values()]
}

/** Pages of operations, whose names have capitals, are alike. */
const keyOf = ({ route, path }: TourPage): string =>
  route === '/docs/:page' && !/[A-Z]/.test(path) ? path.split('?', 1)[0]! : route

function toPage(path: string): TourPage | undefined {
  const plain = path.split('?', 1)[0]!
  const exact = candidates.find(({ route }) => route.replace(/\/$/, '') === plain.replace(/\/$/, ''))
  const candidate = exact ?? candidates.find(({ pattern }) => pattern.test(plain === '/' ? '' : plain))
  return candidate && { route: candidate.route, path, reader: candidate.reader }
}

/** Returns the paths of the links of a page to the same server. */
const linksOf = (html: string, url: string): string[] =>
  [...html.matchAll(/<a[^>]+href="([^"#]+)/g)]
    .map(([, href]) => new URL(href!.replaceAll('&amp;', '&'), url))
    .filter(({ origin }) => origin === new URL(url).origin)
    .map(({ pathname, search }) => pathname + search)
