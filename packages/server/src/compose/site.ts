import type { Config } from '../config/load.ts'
import { packageVersion } from '../kit/bundled.ts'
import { loadAssets } from '../web/asset-files.ts'
import type { Site } from '../web/site.ts'

const demoBanner =
  'Demo: the places are real; their ratings and reviews, and the calls before today, are generated. No mail is sent, and webhooks reach this machine alone.'

const demoSignInHint =
  'The terminal that started the demo shows two links that sign in: as an operator, and as a user of a partner.'

/** Composes what all pages show about the operator. A demo has its places switched on, and a banner. */
export function composeSite(config: Config, isDemo = false): Site {
  const { name, logo, intro, contact, terms, privacy, zone, places, status, index, accent } = config.site
  return {
    name,
    logo,
    intro,
    zone,
    privacy,
    contact: { email: contact.email, url: contact.url ?? config.docs.contact?.url },
    terms: terms ?? config.docs.terms,
    release: packageVersion(),
    ...(isDemo && { banner: demoBanner, signInHint: demoSignInHint }),
    basePath: config.server.basePath.replace(/\/+$/, ''),
    has: { places: places || isDemo, status, index, portal: config.management.enabled },
    map: config.map,
    assets: loadAssets(accent),
  }
}
