import { readFileSync } from 'node:fs'
import { v7 as uuidv7 } from 'uuid'
import type { Config } from '../config/load.ts'
import type { Engine } from '../domain/stores.ts'
import { createOpaqueToken, digestOpaqueToken } from '../identity/opaque-token.ts'
import { createRecoveryCodes, digestRecoveryCode } from '../identity/recovery-codes.ts'
import type { SessionTerms } from '../identity/sessions.ts'
import { createThrottle } from '../identity/throttle.ts'
import { type Clock, systemClock } from '../kit/clock.ts'
import { createSecretBox } from '../kit/secret-box.ts'
import { openLayout } from '../store/folder/layout.ts'
import { loadPepper } from '../store/folder/pepper.ts'
import type { Identity } from '../usecases/admin/identity.ts'
import { getServiceUrl } from './service-url.ts'

/** Composes the use cases of people who sign in. The throttle belongs to the process that calls this. */
export function composeIdentity(engine: Engine, config: Config, clock: Clock = systemClock): Identity {
  const pepper = loadPepper(openLayout(config.data))
  return {
    people: engine.people,
    keys: engine.keys,
    clock,
    terms: readSessionTerms(config),
    throttle: createThrottle(() => clock.nowMs()),
    opaque: { create: createOpaqueToken, digest: digestOpaqueToken },
    totpBox: createSecretBox(pepper, 'totp'),
    codes: { create: createRecoveryCodes, digest: code => digestRecoveryCode(code, pepper) },
    newId: kind => `${kind}_${uuidv7()}`,
  }
}

/** Returns the terms by which sessions end. */
export const readSessionTerms = ({ management: { sessionIdleHours, sessionMaxDays } }: Config): SessionTerms => ({
  idleMs: sessionIdleHours * 3_600_000,
  maxMs: sessionMaxDays * 86_400_000,
})

/**
 * Returns the URL of the management server without a trailing slash. `servedAt` is the address at which the service
 * listens; by default the one at which the folder was served last.
 */
export function getManagementUrl(config: Config, servedAt?: string): string {
  const { management, server } = config
  const set = management.publicUrl ?? server.publicUrl
  if (set !== undefined) return set.replace(/\/+$/, '')
  const url = new URL(servedAt ?? lastServedAt(config) ?? getServiceUrl(server))
  if (management.port !== undefined && management.port !== 0) {
    url.hostname = management.host
    url.port = String(management.port)
  }
  // Passkeys need a host name (WebAuthn), and so does a service that listens on all addresses.
  if (/^(127\..*|0\.0\.0\.0|\[::1?\])$/.test(url.hostname)) url.hostname = 'localhost'
  return url.href.replace(/\/+$/, '')
}

function lastServedAt(config: Config): string | undefined {
  try {
    return readFileSync(openLayout(config.data).publicUrl, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

/** Returns the URL of a link. */
export const linkUrl = (managementUrl: string, token: string): string => `${managementUrl}/portal/link/${token}`
