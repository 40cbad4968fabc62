/** Rests of the messages of servers whose TLS prevents a connection, after the name of the server. */
export const tlsTexts = {
  untrusted: 'has a certificate of an unknown authority. Set NODE_EXTRA_CA_CERTS to the file of that authority.',
  otherHost: 'has a certificate for another host. Use a name that the certificate contains.',
  outdated: 'has a certificate that is not valid now. Renew it, or set the clock of this machine.',
  withoutTls: 'does not use TLS on this port. Turn TLS on there, or use an address without it.',
  wantsCertificate: 'requires a certificate of its clients. Turn that off there.',
} as const

/** Codes of Node and OpenSSL; alerts have the name of what the server reports. */
const codes: readonly (readonly [pattern: RegExp, name: keyof typeof tlsTexts])[] = [
  [/SELF_SIGNED_CERT|^UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF)|^CERT_UNTRUSTED$/, 'untrusted'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'otherHost'],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, 'outdated'],
  [/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/, 'withoutTls'],
  [/^ERR_SSL_\w*(CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE)$/, 'wantsCertificate'],
]

/** Returns the reason why TLS prevents a connection; undefined for any other error. */
export function findTlsProblem(error: unknown): keyof typeof tlsTexts | undefined {
  const { code } = (error ?? {}) as NodeJS.ErrnoException
  return code === undefined ? undefined : codes.find(([pattern]) => pattern.test(code))?.[1]
}
