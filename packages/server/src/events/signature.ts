import { createHmac, randomBytes } from 'node:crypto'
import { dayMs } from '../kit/time.ts'

const prefix = 'whsec_'
const secretBytes = 32

/** Time for which the previous secret of an endpoint also signs after a rotation, in milliseconds. */
export const secretOverlapMs = dayMs

/** Creates the secret of an endpoint in the form of Standard Webhooks. */
export const createWebhookSecret = (): string => prefix + randomBytes(secretBytes).toString('base64')

/**
 * Returns the headers of one attempt (Standard Webhooks 1.0). `secrets` are the current secret and, during a rotation,
 * the previous one: receivers accept any of the signatures.
 */
export function signWebhook(
  id: string,
  atMs: number,
  body: string,
  secrets: readonly string[],
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const timestamp = String(Math.floor(atMs / 1000))
  const signatures = secrets.map(secret => `v1,${createSignature(secret, `${id}.${timestamp}.${body}`)}`)
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

const createSignature = (secret: string, content: string): string =>
  createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
    .update(content)
    .digest('base64')
