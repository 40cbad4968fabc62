import { type Html, html } from '../../web/html.ts'
import { assetLink, type Site } from '../../web/site.ts'

/** The facts of a page that previews of links show. */
export interface LinkPreview {
  readonly title: string
  readonly description: string
  /** Path below the base path. */
  readonly path: string
}

/** Returns the elements of the head that previews of links and search engines read (Open Graph, canonical address). */
export const openGraph = (
  { title, description, path }: LinkPreview,
  { site, publicUrl }: { readonly site: Site; readonly publicUrl: string },
): Html => html`<meta property="og:type" content="website">
<meta property="og:site_name" content="${site.name}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${publicUrl}${path}">
<meta property="og:image" content="${new URL(site.logo ?? assetLink(site, 'mark.svg'), publicUrl).href}">
<link rel="canonical" href="${publicUrl}${path}">
`
