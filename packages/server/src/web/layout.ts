import { attribute, type Html, type HtmlValue, html } from './html.ts'
import { icon } from './icon.ts'
import { assetLink, linkTo, type Site } from './site.ts'

/** A link of a navigation. */
export interface NavLink {
  /** Path below the base path. */
  readonly path: string
  readonly label: string
  /** Name of the icon. */
  readonly icon?: string
  /** Number that the reader should notice, such as open requests. */
  readonly count?: number
}

/** A group of links in the navigation of a section. */
export interface NavGroup {
  readonly label?: string
  readonly links: readonly NavLink[]
}

/** The navigation of a section: the documentation, the portal of a partner, the console. */
export interface SectionNav {
  readonly label: string
  /** Shown above the links: the partner or the user. */
  readonly head?: HtmlValue
  readonly groups: readonly NavGroup[]
}

/** The variable parts of a page. */
export interface LayoutPage {
  /** Text of the `h1`, and of the window title before the name of the site. */
  readonly title: string
  /** Path of the page below the base path, without query; marks the link to it as current. */
  readonly path: string
  /** Sentence for search engines and previews of links. */
  readonly description?: string
  readonly nav?: SectionNav | undefined
  /** Links to the pages above this one. */
  readonly trail?: readonly NavLink[]
  /** Shown to the right of the title: buttons and links. */
  readonly actions?: HtmlValue
  /** Sentence below the title. */
  readonly lead?: HtmlValue
  /** False if `content` has its own `h1`. Default: true. */
  readonly showsTitle?: boolean
  /** Shown above the title. */
  readonly top?: HtmlValue
  readonly content: HtmlValue
  /** Plain names of the scripts, such as `map.js`. */
  readonly scripts?: readonly string[]
  /** Plain names of further stylesheets. */
  readonly styles?: readonly string[]
  /** Additional elements of the head. */
  readonly head?: HtmlValue
  /** `wide` uses the whole width of the window, as maps do; `narrow` is for a single form. */
  readonly width?: 'wide' | 'normal' | 'narrow'
}

/** Returns a complete page in the look of the site. */
export const renderLayout = (page: LayoutPage, site: Site): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title === site.name ? site.name : `${page.title} · ${site.name}`}</title>
${renderDescription(page)}<link rel="icon" href="${assetLink(site, 'mark.svg')}">
<link rel="preload" href="${assetLink(site, 'inter.woff2')}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${assetLink(site, 'periplus.css')}">
${renderStyles(page, site)}${page.head}${renderScripts(page, site)}</head>
<body class="${page.width ?? 'normal'}${page.nav && ' has-nav'}">
<a class="skip" href="#main">Skip to the content</a>
${renderHeader(page, site)}
<div class="frame${page.nav ? ' with-nav' : ''}">
${page.nav && renderNav(page.nav, page.path, site)}
<main id="main" tabindex="-1">
${page.top}${renderTrail(page, site)}${page.showsTitle !== false && renderTitle(page)}${page.content}
</main>
</div>
${renderFooter(site)}
</body>
</html>
`

const renderDescription = ({ description }: LayoutPage): HtmlValue =>
  description !== undefined && html`<meta name="description" content="${description}">\n`

const renderStyles = ({ styles = [] }: LayoutPage, site: Site): HtmlValue =>
  styles.map(name => html`<link rel="stylesheet" href="${assetLink(site, name)}">\n`)

const renderScripts = ({ scripts = [] }: LayoutPage, site: Site): HtmlValue =>
  scripts.map(name => html`<script type="module" src="${assetLink(site, name)}"></script>\n`)

function renderTitle({ title, actions, lead }: LayoutPage): Html {
  const buttons = actions !== undefined && html`<div class="actions">${actions}</div>`
  return html`<div class="title"><div><h1>${title}</h1>
${lead !== undefined && html`<p class="lead">${lead}</p>`}</div>${buttons}</div>
`
}

const renderTrail = ({ trail = [] }: LayoutPage, site: Site): HtmlValue =>
  trail.length > 0 &&
  html`<nav class="trail" aria-label="Breadcrumb"><ol>
${trail.map(({ path, label }) => html`<li><a href="${linkTo(site, path)}">${label}</a></li>\n`)}</ol></nav>
`

/** The links of the header are the same for everybody, so that public pages can be cached. */
function renderHeader({ path }: LayoutPage, site: Site): Html {
  const links: NavLink[] = [
    ...(site.has.places ? [{ path: '/places', label: 'Places' }] : []),
    { path: '/docs', label: 'Docs' },
    ...(site.has.status ? [{ path: '/status', label: 'Status' }] : []),
    ...(site.has.portal ? [{ path: '/portal', label: 'Portal' }] : []),
  ]
  // The start of the portal leads staff to the console.
  const place = path.replace(/^\/console(?=\/|$)/, '/portal')
  const isWithin = (folder: string) => place === folder || place.startsWith(`${folder}/`)
  const logo = html`<img src="${site.logo ?? assetLink(site, 'mark.svg')}" alt="" width="28" height="28">`
  const item = (link: NavLink) => {
    const current = attribute('aria-current', isWithin(link.path) && 'true')
    return html`<li><a href="${linkTo(site, link.path)}"${current}>${link.label}</a></li>\n`
  }
  return html`<header class="site"><div class="bar">
<a class="brand" href="${linkTo(site, '/')}">${logo}<span>${site.name}</span></a>
<nav aria-label="Site"><ul>
${links.map(item)}</ul></nav>
</div></header>`
}

/**
 * On narrow windows the navigation is a popover, which needs no script. Browsers without popovers show it above the
 * page.
 */
function renderNav({ label, head, groups }: SectionNav, path: string, site: Site): Html {
  const all = groups.flatMap(({ links }) => links)
  // The longest path that contains the page: details are below their list.
  const [current] = all
    .filter(link => `${path}/`.startsWith(`${link.path.replace(/\/$/, '')}/`))
    .sort((a, b) => b.path.length - a.path.length)
  const item = (link: NavLink) => {
    const { count = 0 } = link
    const content = [
      link.icon !== undefined && icon(link.icon),
      html`<span>${link.label}</span>`,
      count > 0 && html`<span class="count">${count}</span>`,
    ]
    const isCurrent = attribute('aria-current', link === current && 'page')
    return html`<li><a href="${linkTo(site, link.path)}"${isCurrent}>${content}</a></li>\n`
  }
  const here = current && html`<span class="here">${current.label}</span>`
  return html`<div class="section-nav">
<button type="button" popovertarget="section-nav">${icon('list')} ${label}${here}</button>
<nav id="section-nav" popover aria-label="${label}">${head !== undefined && html`<div class="nav-head">${head}</div>`}
${groups.map(
  group => html`${group.label !== undefined && html`<h2>${group.label}</h2>`}<ul>
${group.links.map(item)}</ul>
`,
)}</nav></div>`
}

function renderFooter(site: Site): Html {
  const { contact, terms, privacy, release } = site
  const item = (href: string | undefined, label: string | undefined) =>
    href !== undefined && html`<li><a href="${href}">${label}</a></li>\n`
  const links = [
    item(contact?.url, 'Contact'),
    item(contact?.email && `mailto:${contact.email}`, contact?.email),
    item(terms, 'Terms of use'),
    item(privacy, 'Privacy'),
  ]
  return html`<footer class="site"><div class="bar">
<ul>
${links}<li><a href="${linkTo(site, '/docs/licences')}">Data sources and licences</a></li>
</ul>
<p>Periplus ${release}</p>
</div></footer>`
}
