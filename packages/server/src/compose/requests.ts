import { computeGrant } from '../access/grant.ts'
import type { Config } from '../config/load.ts'
import type { ExplanationRoute } from '../domain/explanation-terms.ts'
import type { Engine } from '../domain/stores.ts'
import { routes } from '../http/partner/routes.ts'
import { systemClock } from '../kit/clock.ts'
import type { Requests } from '../usecases/admin/find-request.ts'
import { findSuccessor, resolveLifecycle } from '../versions/lifecycle.ts'

/** Composes the use cases for the request log of an open engine. */
export function composeRequests(engine: Engine, config: Config): Requests {
  return {
    requests: engine.requests,
    keys: engine.keys,
    audit: engine.audit,
    packageTable: config,
    limitsOf: key => {
      const { limits } = computeGrant(key, config)
      return {
        rate: limits.rate.value,
        burst: limits.burst.value,
        quota: limits.quota.value,
        searchRate: limits.searchRate.value,
        searchBurst: limits.searchBurst.value,
        searchQuota: limits.searchQuota.value,
        autocompleteRate: limits.autocompleteRate.value,
        autocompleteBurst: limits.autocompleteBurst.value,
      }
    },
    routeOf: createRoutes(config),
    isOfPartner: async ({ kind, id }) => {
      if (kind === 'token') return (await engine.tokens.get(id))?.partnerId !== undefined
      const user = kind === 'user' ? await engine.people.users.get(id) : undefined
      return user !== undefined && user.staffRole === undefined
    },
  }
}

function createRoutes(config: Config): Requests['routeOf'] {
  const lifecycle = resolveLifecycle(config)
  return ({ operation, version }): ExplanationRoute => {
    const nowMs = systemClock.nowMs()
    const entry = lifecycle.versions.find(({ name }) => name === version)
    const successor = entry && findSuccessor(lifecycle, entry, nowMs)
    const sunsetMs =
      entry?.sunsetMs ?? Object.entries(lifecycle.endpoints).find(([name]) => name === operation)?.[1]?.sunsetMs
    return {
      permission: routes.find(route => route.operation === operation)?.permission ?? 'locations',
      versions: lifecycle.versions
        .filter(one => one.sunsetMs === undefined || one.sunsetMs > nowMs)
        .map(({ name }) => name),
      ...(sunsetMs !== undefined && { sunsetMs }),
      ...(successor && { successor: successor.name }),
      penaltyCapS: config.limits.penaltyCapSeconds,
    }
  }
}
