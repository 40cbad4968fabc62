import type { Answer } from '../wire/answer.ts'

/** Whether the service takes requests. */
export interface Readiness {
  /** Why it does not; none when locations can be read. */
  reasons(): readonly string[]
  /** What does not go as it should while it takes requests. */
  notes(): readonly string[]
}

/** The process lives. */
export const health = (): Answer => answer(200, { status: 'ok' })

/** The service takes requests, or says why not. */
export function ready({ reasons, notes }: Readiness): Answer {
  const why = reasons()
  if (why.length > 0) return answer(503, { status: 'not ready', reasons: why })
  const aside = notes()
  return answer(200, { status: 'ready', ...(aside.length > 0 && { notes: aside }) })
}

const answer = (status: number, body: object): Answer => ({
  status,
  headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
  body: Buffer.from(JSON.stringify(body)),
})
