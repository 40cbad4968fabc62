import { createServer, type Server } from 'node:http'
import { fault } from '../../domain/fault.ts'
import type { Metrics } from '../../kit/metrics.ts'
import { type Answer, problem } from '../wire/answer.ts'
import { requestId } from '../wire/request-id.ts'
import { timeOuts } from '../wire/time-outs.ts'
import { health, type Readiness, ready } from './health.ts'

/** The operator's own port: metrics, health and readiness. Nothing of it is on the partners' port but the latter two. */
export function createAdminServer(metrics: Metrics, readiness: Readiness): Server {
  const pages: Readonly<Record<string, () => Answer | Promise<Answer>>> = {
    '/metrics': async () => ({
      status: 200,
      headers: { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' },
      body: Buffer.from(await metrics.text()),
    }),
    '/healthz': health,
    '/readyz': () => ready(readiness),
  }
  return createServer({ ...timeOuts }, async (request, response) => {
    const path = (request.url ?? '').split('?', 1)[0]!
    const page = Object.hasOwn(pages, path) ? pages[path]! : undefined
    const { status, headers, body } = await answerOf(request.method ?? '', page)
    response.writeHead(status, { ...headers, 'Content-Length': (body as Buffer).length })
    response.end(request.method === 'HEAD' ? undefined : body)
  })
}

async function answerOf(method: string, page: (() => Answer | Promise<Answer>) | undefined): Promise<Answer> {
  const request = { id: requestId(), path: '', publicUrl: '' }
  if (!page) return problem(fault('path_unknown', { detail: 'There are /metrics, /healthz and /readyz.' }), request)
  if (method !== 'GET' && method !== 'HEAD')
    return problem(fault('method_not_allowed', { headers: { Allow: 'GET, HEAD' } }), request)
  return page()
}
