import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

/** The account that the provider signs in. */
export interface Account {
  readonly sub: string
  readonly email: string
  readonly email_verified: boolean
  readonly name: string
}

/** A provider of OpenID Connect on a loopback port, which signs in `account` without asking. */
export interface TestProvider {
  readonly issuer: string
  account: Account
  close(): void
}

/** Starts a provider with one client that has this id, secret and redirect address. */
export async function startProvider(client: {
  id: string
  secret: string
  redirectUri: string
}): Promise<TestProvider> {
  const state: { handle: (request: IncomingMessage, response: ServerResponse) => void } = { handle: () => {} }
  const server = createServer((request, response) => state.handle(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const running: TestProvider = {
    issuer,
    account: { sub: 'sub_1', email: 'a@example.org', email_verified: true, name: 'A' },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })
  const provider = new Provider(issuer, {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [client.redirectUri] }],
    jwks: { keys: [{ ...key, use: 'sig', alg: 'RS256', kid: 'test' }] },
    cookies: { keys: ['test'] },
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ ...running.account, sub }) }),
    loadExistingGrant: async context => {
      const grant = new context.oidc.provider.Grant({
        clientId: context.oidc.client!.clientId,
        accountId: context.oidc.session!.accountId!,
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const callback = provider.callback()
  state.handle = (request, response) => {
    if (!request.url!.startsWith('/interaction/')) return void callback(request, response)
    void provider.interactionFinished(request, response, { login: { accountId: running.account.sub } })
  }
  return running
}
