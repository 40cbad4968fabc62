/** A sign-in at the provider that waits for the user to come back. */
export interface OidcRequest {
  /** URL of the provider that the browser opens. */
  readonly url: string
  /** PKCE verifier, nonce and state, which the answer must match. */
  readonly verifier: string
  readonly nonce: string
  readonly state: string
}

/** Claims of a user that the provider has signed. */
export interface OidcClaims {
  readonly sub: string
  /** Missing unless the provider has verified it. */
  readonly verifiedEmail?: string
  readonly name?: string
}

/** The OpenID Connect provider of the configuration. */
export interface OidcProvider {
  /** Domains of verified e-mail addresses that become staff, and their role. */
  readonly emailDomains: readonly string[]
  readonly role: 'operator' | 'support'
  /** Starts a sign-in; with `again`, the provider asks for the credentials even if a session is open. */
  start(redirectUri: string, again: boolean): Promise<OidcRequest | undefined>
  /** Checks the URL to which the provider sent the browser back; undefined if anything does not match. */
  finish(callbackUrl: string, request: Omit<OidcRequest, 'url'>, again: boolean): Promise<OidcClaims | undefined>
}
