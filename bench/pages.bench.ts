/**
 * Measures all pages of the portal and the console of a demo, and the public ones: bytes of HTML and of scripts,
 * compressed, and CPU time of the server a page, the first time in this process and on average. Every request must be
 * answered with 200; one that exceeds the rate of its session or visitor waits as the response says and is sent again,
 * and its refusal is not measured.
 *   npm run bench -- pages [--requests 40] [--only TEXT]
 */
import { gzipSync } from 'node:zlib'
import { findPages } from '../packages/server/test/browser/tour.ts'
import { startDemo } from './load/demo.ts'
import { flag } from './load/figures.ts'
import { getPage } from './load/get-page.ts'

const requests = Number(flag('requests', '40'))
const only = flag('only', '')

const { server, signIn } = await startDemo()
const cookies = { operator: await signIn('operator'), partner: await signIn('partner') }

/** CPU time of the first view of each page, which compiles and reads what later ones find in memory. */
const firstMs = new Map<string, number>()
const visit = async (url: string, options: RequestInit) => {
  const beforeMs = server.threadsMs()
  const reply = await fetch(url, options)
  // The text is read here, so that the page is complete when its time is taken.
  const text = await reply.text()
  firstMs.set(url, server.threadsMs() - beforeMs)
  return new Response(text, reply)
}
const pages = (await findPages(server.url, cookies, visit)).filter(({ path }) => path.includes(only))

const kilobytes = (bytes: number): number => Number((bytes / 1024).toFixed(1))

async function scriptBytes(html: string): Promise<number> {
  let bytes = 0
  for (const [, source] of html.matchAll(/<script[^>]+src="([^"]+)"/g))
    bytes += gzipSync(await (await fetch(new URL(source!, server.url))).bytes()).length
  return bytes
}

async function measure({ path, reader }: (typeof pages)[number]) {
  const headers = { cookie: reader === 'anybody' ? '' : cookies[reader], 'accept-encoding': 'identity' }
  /** Returns the page and the CPU time of its response, in milliseconds. */
  const get = async () => {
    let beforeMs = 0
    const html = await getPage(server.url + path, headers, () => {
      beforeMs = server.cpuMs()
    })
    return { html, cpuMs: server.cpuMs() - beforeMs }
  }
  const { html } = await get()
  for (let i = 0; i < 5; i++) await get()
  let cpuMs = 0
  for (let i = 0; i < requests; i++) cpuMs += (await get()).cpuMs
  return {
    path,
    'HTML kB': kilobytes(gzipSync(html).length),
    'script kB': kilobytes(await scriptBytes(html)),
    'first ms': Number((firstMs.get(server.url + path) ?? Number.NaN).toFixed(1)),
    'CPU ms': Number((cpuMs / requests).toFixed(1)),
  }
}

const rows: Awaited<ReturnType<typeof measure>>[] = []
for (const page of pages) rows.push(await measure(page))
await server.stop()
console.table(rows)
