import { hostname } from 'node:os'
import type { LoadedConfig } from '../config/load.ts'
import type { ServedVersion } from '../domain/lifecycle.ts'
import type { LiveState } from '../domain/live-state.ts'
import type { Engine } from '../domain/stores.ts'
import { createReferenceReader } from '../http/site/docs/reference.ts'
import { createVersionDifferences } from '../http/site/docs/version-differences.ts'
import { packageVersion } from '../kit/bundled.ts'
import { systemClock } from '../kit/clock.ts'
import type { Logger } from '../kit/log.ts'
import { RecentWarnings } from '../kit/recent-warnings.ts'
import type { ManagementContext } from '../management/context.ts'
import { createExampleIds } from '../management/example-ids.ts'
import { Idempotency } from '../management/idempotency.ts'
import { OncePages } from '../management/pages/once-pages.ts'
import type { EffectiveSetting } from '../resources/config.ts'
import { openLayout } from '../store/folder/layout.ts'
import { loadNode } from '../store/folder/node-identity.ts'
import { loadPepper } from '../store/folder/pepper.ts'
import { createForecasts } from '../usecases/admin/forecast-usage.ts'
import { getDefaultVersion, isRetired, resolveLifecycle } from '../versions/lifecycle.ts'
import { composeAdmin } from './admin.ts'
import { configStatus, listSettings } from './configuration.ts'
import { measureDisk } from './disk-use.ts'
import { composeIdentity, getManagementUrl, linkUrl } from './identity.ts'
import { addressChangeMail, mailLink, sendMail, testMailTo } from './link-mail.ts'
import { metersOf } from './meters.ts'
import { createOidcProvider } from './oidc.ts'
import { composePlaceContext } from './places.ts'
import { composeRequests } from './requests.ts'
import { composeSite } from './site.ts'
import { composePageUsage } from './usage.ts'
import { createVersionComparison } from './version-pair.ts'
import { composeWebhooks } from './webhooks.ts'
import { composeWork } from './work.ts'

/** The parts of the management server that do not depend on its engine. */
export interface ManagementEnvironment {
  /** Public URL of the management server; known once it listens. */
  readonly address: { readonly publicUrl: string }
  /** Public URL of the partner API. */
  readonly serviceUrl: string
  readonly live: LiveState
  readonly log: Logger
  /** The latest warnings of this thread. Default: no warnings. */
  readonly recent?: RecentWarnings
  /** Default: false. */
  readonly isDemo?: boolean
  /** True if the management server has another address than the partner API. Default: false. */
  readonly hasOwnPort?: boolean
}

/** Composes what the handlers of the management server need. */
export function composeManagementContext(
  engine: Engine,
  loaded: LoadedConfig,
  {
    address,
    serviceUrl,
    live,
    log,
    recent = new RecentWarnings(),
    isDemo = false,
    hasOwnPort = false,
  }: ManagementEnvironment,
): ManagementContext {
  const { config } = loaded
  const lifecycle = resolveLifecycle(config)
  const identity = composeIdentity(engine, config)
  const pepper = loadPepper(openLayout(config.data))
  const [usage, requests] = [composePageUsage(engine, config), composeRequests(engine, config)]
  const searchCountsTowardPackage = config.search.countsTowardPackage
  const site = { ...composeSite(config, isDemo), ...(hasOwnPort && { apiOrigin: new URL(serviceUrl).origin }) }
  const referenceSettings = { site, publicUrl: serviceUrl, docs: config.docs, meters: metersOf(config) }
  const readReference = createReferenceReader(lifecycle, referenceSettings)
  return {
    clock: systemClock,
    log,
    live,
    release: packageVersion(),
    node: config.limits.shared === undefined ? undefined : { id: loadNode(config.data).folderId, name: hostname() },
    apiUrl: serviceUrl,
    get publicUrl() {
      return address.publicUrl
    },
    admin: composeAdmin(engine, config),
    work: composeWork(engine, config),
    places: composePlaceContext(engine, config),
    identity,
    hasMail: config.mail.host !== undefined,
    sendLink: async (created, to) => {
      const url = linkUrl(getManagementUrl(config, address.publicUrl), created.token)
      return { url, mail: await mailLink(config, identity, { to, url, created }) }
    },
    sendAddressChange: change => sendMail(config, addressChangeMail(change, config)),
    sendTestMail: to => sendMail(config, testMailTo(to, config.site.name)),
    insecureHttp: config.management.insecureHttp,
    secondFactor: config.management.secondFactor,
    oidc: createOidcProvider(config, log),
    usage,
    forecasts: createForecasts({ ...usage, limitsOf: requests.limitsOf, searchCountsTowardPackage }),
    requests,
    audit: engine.audit,
    idempotency: new Idempotency(engine.idempotency, pepper, systemClock.nowMs),
    once: new OncePages({ store: engine.people.signIns, pepper }),
    webhooks: composeWebhooks(engine, config),
    site,
    reference: (name, placeIds) => readReference({ nowMs: systemClock.nowMs(), placeIds }, name),
    compareVersions: createVersionComparison(lifecycle, createVersionDifferences(lifecycle, referenceSettings)),
    exampleIds: createExampleIds(live, systemClock),
    searchCountsTowardPackage,
    meters: metersOf(config),
    checkConfig: () => configStatus(config),
    settings: listSettings(loaded).map(maskSecret),
    disk: () => measureDisk(config.data, engine.ledger, systemClock.nowMs()),
    warnings: () => recent.list(),
    versions: () => versionsAt(lifecycle, systemClock.nowMs()),
  }
}

/** Returns the versions with their status at a time. */
function versionsAt(lifecycle: ReturnType<typeof resolveLifecycle>, nowMs: number): readonly ServedVersion[] {
  const current = getDefaultVersion(lifecycle, nowMs)
  return lifecycle.versions.map(entry => ({
    ...entry,
    status: isRetired(entry, nowMs) ? 'retired' : entry.status,
    isDefault: entry === current,
  }))
}

/** Masks the value of a setting that holds a secret; settings that name a file show the path. */
const maskSecret = (setting: EffectiveSetting): EffectiveSetting =>
  /(secret|password|token|key)$/i.test(setting.setting) && setting.value !== undefined
    ? { ...setting, value: '***' }
    : setting
