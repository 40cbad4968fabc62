import type { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent'

/** Resolves names; tests replace it. */
export type Lookup = NonNullable<ConstructorParameters<typeof RequestFilteringHttpAgent>[0]>['lookup']

/** Agents that refuse connections to some addresses. */
export interface GuardedAgents {
  readonly http: RequestFilteringHttpAgent
  readonly https: RequestFilteringHttpsAgent
}

/**
 * Creates agents that check each address after the name was resolved, on the connection itself, so that a name cannot
 * change its address between check and use. Private addresses are refused unless `allowPrivate`, except `allowed`.
 */
export async function createGuardedAgents({
  allowPrivate,
  allowed,
  lookup,
}: {
  readonly allowPrivate: boolean
  readonly allowed?: string[] | undefined
  readonly lookup?: Lookup
}): Promise<GuardedAgents> {
  const { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } = await import('request-filtering-agent')
  const options = {
    keepAlive: false,
    allowPrivateIPAddress: allowPrivate,
    allowMetaIPAddress: allowPrivate,
    ...(allowed && { allowIPAddressList: allowed }),
    ...(lookup && { lookup }),
  }
  return { http: new RequestFilteringHttpAgent(options), https: new RequestFilteringHttpsAgent(options) }
}

/** Returns true for the error of a connection that a guarded agent has refused. */
export const isRefusedAddress = ({ message = '' }: { readonly message?: string }): boolean =>
  /^DNS lookup .* is not allowed/.test(message)
