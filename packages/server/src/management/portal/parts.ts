import type { FastifyRequest } from 'fastify'
import type { OidcProvider } from '../../domain/oidc.ts'
import type { SecondFactorPolicy } from '../../identity/second-factor-policy.ts'
import type { Logger } from '../../kit/log.ts'
import type { Identity } from '../../usecases/admin/identity.ts'
import type { Site } from '../../web/site.ts'
import type { ManagementContext } from '../context.ts'
import type { OncePages } from '../pages/once-pages.ts'
import type { BrowserAccess } from '../session.ts'

/** The parts that the pages of the portal need. */
export interface PortalParts {
  readonly identity: Identity
  readonly access: BrowserAccess
  readonly log: Logger
  readonly site: Site
  /** Undefined if the configuration names no provider. */
  readonly oidc: OidcProvider | undefined
  readonly secondFactor: SecondFactorPolicy
  /** True if there is an SMTP server. */
  readonly hasMail: boolean
  readonly sendLink: ManagementContext['sendLink']
  readonly sendAddressChange: ManagementContext['sendAddressChange']
  readonly once: OncePages
  /** Returns the network address of the client. */
  addressOf(request: FastifyRequest): string
}
