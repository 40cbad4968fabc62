import { readFileSync } from 'node:fs'
import type * as OpenIdClient from 'openid-client'
import type { Config } from '../config/load.ts'
import type { OidcClaims, OidcProvider } from '../domain/oidc.ts'
import type { Logger } from '../kit/log.ts'

type Client = typeof OpenIdClient

/** Loads the client, which few services need. */
const loadClient = (): Promise<Client> => import('openid-client')

/** Maximum duration of a request to the provider, in seconds. */
const timeoutSeconds = 10

/**
 * Returns the OpenID Connect provider of the configuration; undefined if it names none. The provider is asked for its
 * metadata at the first sign-in, and again if that failed.
 */
export function createOidcProvider({ management }: Config, log: Logger): OidcProvider | undefined {
  const { issuer, clientId, clientSecretFile, emailDomains, role } = management.oidc
  if (issuer === undefined || clientId === undefined) return undefined
  const discover = async () => {
    const client = await loadClient()
    const secret = clientSecretFile === undefined ? undefined : readFileSync(clientSecretFile, 'utf8').trim()
    const insecure = issuer.startsWith('http:') ? { execute: [client.allowInsecureRequests] } : {}
    return client.discovery(new URL(issuer), clientId, secret, secret === undefined ? client.None() : undefined, {
      timeout: timeoutSeconds,
      ...insecure,
    })
  }
  let discovered: Promise<OpenIdClient.Configuration> | undefined
  const metadata = () => {
    discovered ??= discover().catch(error => {
      discovered = undefined
      throw error
    })
    return discovered
  }
  const orLog = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      // The message of the provider may name the user; the code does not.
      log.warn({ code: (error as { readonly code?: unknown }).code }, 'A sign-in by OpenID Connect failed.')
      return undefined
    }
  }
  return {
    emailDomains,
    role,
    start: (redirectUri, again) => orLog(async () => start(await metadata(), redirectUri, again)),
    finish: (callbackUrl, { verifier, nonce, state }, again) =>
      orLog(async () => {
        const client = await loadClient()
        const tokens = await client.authorizationCodeGrant(await metadata(), new URL(callbackUrl), {
          pkceCodeVerifier: verifier,
          expectedNonce: nonce,
          expectedState: state,
          idTokenExpected: true,
          ...(again && { maxAge: 60 }),
        })
        return claimsOf(tokens.claims()!)
      }),
  }
}

async function start(metadata: OpenIdClient.Configuration, redirectUri: string, again: boolean) {
  const client = await loadClient()
  const [verifier, nonce, state] = [client.randomPKCECodeVerifier(), client.randomNonce(), client.randomState()]
  const url = client.buildAuthorizationUrl(metadata, {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    response_mode: 'query',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    nonce,
    state,
    ...(again && { max_age: '0' }),
  })
  return { url: url.href, verifier, nonce, state }
}

const claimsOf = ({ sub, email, email_verified, name }: OpenIdClient.IDToken): OidcClaims => ({
  sub,
  ...(typeof email === 'string' && email_verified === true && { verifiedEmail: email }),
  ...(typeof name === 'string' && name.trim() !== '' && { name: name.trim() }),
})
