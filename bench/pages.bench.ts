/**
 * Measures all pages of the portal and the console of a demo, and the public ones: bytes of HTML and of scripts,
 * compressed, and CPU time of the server a page.
 *   npm run bench -- pages [--requests 40]
 */
import { gzipSync } from 'node:zlib'
import { pageRoutes } from '../packages/server/src/management/pages/page-routes.ts'
import { startDemo } from './load/demo.ts'
import { flag } from './load/figures.ts'

const requests = Number(flag('requests', '40'))
const publicPages = [
  '/',
  '/places',
  '/places/1',
  '/places/1/reviews',
  '/docs',
  '/docs/guide',
  '/docs/errors',
  '/docs/versions',
  '/status',
]

const { server, signIn } = await startDemo()
const cookies = { operator: await signIn('operator'), partner: await signIn('partner') }

/** Pages without parameters of their own, as each person opens them. */
const own = pageRoutes
  .filter(({ method, path }) => method === 'GET' && !path.replace(':partner', '').includes(':'))
  .map(({ path }) => ({
    path: path.replace(':partner', 'demo'),
    cookie: path.startsWith('/console') ? cookies.operator : cookies.partner,
  }))
const pages = [...publicPages.map(path => ({ path, cookie: '' })), ...own]

const kilobytes = (bytes: number): number => Number((bytes / 1024).toFixed(1))

async function scriptBytes(html: string): Promise<number> {
  let bytes = 0
  for (const [, source] of html.matchAll(/<script[^>]+src="([^"]+)"/g))
    bytes += gzipSync(await (await fetch(new URL(source!, server.url))).bytes()).length
  return bytes
}

async function measure({ path, cookie }: (typeof pages)[number]) {
  const get = () => fetch(server.url + path, { headers: { cookie, 'accept-encoding': 'identity' } })
  const reply = await get()
  const html = await reply.text()
  for (let i = 0; i < 5; i++) await (await get()).text()
  const before = server.cpuMs()
  for (let i = 0; i < requests; i++) await (await get()).text()
  const cpuMs = (server.cpuMs() - before) / requests
  return {
    path,
    status: reply.status,
    'HTML kB': kilobytes(gzipSync(html).length),
    'script kB': kilobytes(await scriptBytes(html)),
    'CPU ms': Number(cpuMs.toFixed(1)),
  }
}

const rows: Awaited<ReturnType<typeof measure>>[] = []
for (const page of pages) rows.push(await measure(page))
await server.stop()
console.table(rows)
