import type { HttpResponse } from '../wire/http-response.ts'

/** Readiness of the service to accept requests. */
export interface Readiness {
  /** Reasons why the service is not ready; empty if it can serve locations. */
  reasons(): readonly string[] | Promise<readonly string[]>
  /** Problems that do not prevent the service from accepting requests. */
  notes(): readonly string[] | Promise<readonly string[]>
}

/** Returns the response of /healthz: the process is running. */
export const getHealth = (): HttpResponse => toJsonResponse(200, { status: 'ok' })

/** Returns the response of /readyz: 200 if the service accepts requests, otherwise 503 with the reasons. */
export async function getReadiness(readiness: Readiness): Promise<HttpResponse> {
  const reasons = await readiness.reasons()
  if (reasons.length > 0) return toJsonResponse(503, { status: 'not ready', reasons })
  const notes = await readiness.notes()
  return toJsonResponse(200, { status: 'ready', ...(notes.length > 0 && { notes }) })
}

const toJsonResponse = (status: number, body: object): HttpResponse => ({
  status,
  headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
  body: Buffer.from(JSON.stringify(body)),
})
