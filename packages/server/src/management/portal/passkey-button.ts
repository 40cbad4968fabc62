import { type Html, html } from '../../web/html.ts'
import { linkTo } from '../../web/site.ts'
import type { PortalParts } from './parts.ts'
import { passkeySiteOf } from './passkey-site.ts'

/** A button of the script passkeys.ts. */
export interface PasskeyButton {
  readonly kind: 'sign-in' | 'prove' | 'add'
  /** Path to which the page leads on. */
  readonly to: string
  readonly label: string
}

/** Returns the button for a passkey, which the script shows where the browser and the address permit passkeys. */
export function passkeyButton({ access, site }: PortalParts, { kind, to, label }: PasskeyButton): Html | undefined {
  const host = passkeySiteOf(access)
  if (!host) return undefined
  return html`<div class="passkey" data-passkey="${kind}" data-portal="${linkTo(site, '/portal')}"
data-host="${host.id}" data-origin="${host.origins[0]}" data-to="${to}" hidden>
${kind !== 'add' && html`<p class="or">or</p>`}<button type="button">${label}</button><p class="error" role="alert"></p>
</div>
`
}
