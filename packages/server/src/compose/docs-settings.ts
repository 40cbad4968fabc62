import type { Config } from '../config/load.ts'
import type { DocumentSettings } from '../http/openapi/parts.ts'

/** Name of the service if the operator has not set one. */
const defaultName = 'Periplus'

/**
 * Returns contact, terms and name of the OpenAPI documents: the section `docs`, completed by `site`. Documents are read
 * outside of the site, so that addresses without a host are left out.
 */
export function composeDocs({ docs, site }: Config): DocumentSettings['docs'] {
  const name = site.name === defaultName ? undefined : site.name
  const [url, terms] = [docs.contact.url ?? withHost(site.contact.url), docs.terms ?? withHost(site.terms)]
  const email = docs.contact.email ?? site.contact.email
  const contactName = docs.contact.name ?? name
  return {
    ...(name !== undefined && { name }),
    contact: {
      ...(contactName !== undefined && { name: contactName }),
      ...(email !== undefined && { email }),
      ...(url !== undefined && { url }),
    },
    ...(terms !== undefined && { terms }),
  }
}

const withHost = (address: string | undefined): string | undefined => (address?.startsWith('/') ? undefined : address)
