import { readFileSync } from 'node:fs'
import type { Config } from '../config/load.ts'
import { isAdminFault } from '../domain/admin-fault.ts'
import { type BillingFailure, type BillingSystem, billingFailureText } from '../domain/exported-usage.ts'
import type { Engine } from '../domain/stores.ts'
import { systemClock } from '../kit/clock.ts'
import { repeat } from '../kit/repeat.ts'
import { parseInstant } from '../kit/time.ts'
import { toUsageEvent } from '../usage/cloud-events.ts'
import { exportUsage, type UsageExportParts } from '../usecases/admin/export-usage.ts'

/** Settings of the export; may be sent to another thread. */
export type UsageExportSettings = Config['usage']['export']

/** Interval between two exports of a running service, in milliseconds. */
const exportEveryMs = 300_000
/** Maximum time until a billing system answers, in milliseconds. */
const answerWithinMs = 30_000

/** Composes the export of an open engine. `stopping` ends a running request. */
export const composeUsageExport = (
  { usageExports }: Engine,
  settings: UsageExportSettings,
  stopping?: AbortSignal,
): UsageExportParts => ({
  exports: usageExports,
  billing: settings.url === undefined ? undefined : createBillingSystem({ ...settings, url: settings.url }, stopping),
  clock: systemClock,
  fromMs: settings.from === undefined ? 0 : parseInstant(settings.from)!,
})

/**
 * Exports usage periodically, if the configuration names a billing system. Call it in a thread that serves no requests.
 */
export function startUsageExport(
  engine: Engine,
  settings: UsageExportSettings,
  { onFailure, onError }: { onFailure(message: string): void; onError(error: unknown): void },
): { stop(): Promise<void> } {
  if (settings.url === undefined) return { stop: async () => {} }
  const stopping = new AbortController()
  const parts = composeUsageExport(engine, settings, stopping.signal)
  const run = async () => {
    const result = await exportUsage(parts, { kind: 'system', id: 'usage-export', via: 'system' })
    if (!isAdminFault(result) || result.fault !== 'billing_system_failed' || stopping.signal.aborted) return
    onFailure(billingFailureText(result.url, result.failure))
  }
  const task = repeat(run, { everyMs: exportEveryMs, onError })
  return {
    stop: async () => {
      stopping.abort()
      await task.stop()
    },
  }
}

/**
 * Creates a billing system that receives CloudEvents by HTTP POST: several at once, or one at a time if `batch` is 1.
 */
export function createBillingSystem(
  { url, tokenFile, source, batch }: UsageExportSettings & { readonly url: string },
  stopping?: AbortSignal,
): BillingSystem {
  const send = async (body: object, type: string, token: string | undefined): Promise<BillingFailure | undefined> => {
    const timeout = AbortSignal.timeout(answerWithinMs)
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'Content-Type': type, ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
        body: JSON.stringify(body),
        signal: stopping ? AbortSignal.any([stopping, timeout]) : timeout,
      })
      await response.body?.cancel()
      return response.ok ? undefined : { kind: 'refused', status: response.status }
    } catch (error) {
      return { kind: 'unreachable', code: timeout.aborted ? 'timeout' : findCode(error) }
    }
  }
  return {
    url,
    batch,
    send: async parts => {
      const token = tokenFile === undefined ? undefined : readFileSync(tokenFile, 'utf8').trim()
      if (tokenFile !== undefined && !/^[!-~]+$/.test(token ?? '')) return { kind: 'token', file: tokenFile }
      const events = parts.map(part => toUsageEvent(part, source))
      return batch === 1
        ? send(events[0]!, 'application/cloudevents+json', token)
        : send(events, 'application/cloudevents-batch+json', token)
    },
  }
}

/** Returns the code of the network error that made a request fail. */
function findCode(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } }
  return typeof cause?.code === 'string' ? cause.code : 'no response'
}
