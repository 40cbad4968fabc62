import type { AssetFiles } from './asset-files.ts'

/** The name and the addresses of the operator that all pages show. */
export interface Site {
  readonly name: string
  /** One or two sentences for the landing page. */
  readonly intro?: string | undefined
  /** Address of the logo; default: the mark of Periplus. */
  readonly logo?: string | undefined
  readonly contact?: { readonly email?: string | undefined; readonly url?: string | undefined } | undefined
  /** Addresses of the terms of use and the privacy statement. */
  readonly terms?: string | undefined
  readonly privacy?: string | undefined
  /** Sentence above the content of the pages of portal and console. */
  readonly banner?: string | undefined
  /** Sentence below the form that signs in. */
  readonly signInHint?: string | undefined
  /** Time zone of pages whose reader has none. */
  readonly zone: string
  /** Version of this release. */
  readonly release: string
  /** `''` or `/path`, without a trailing slash. */
  readonly basePath: string
  /** The parts of the site that are switched on. */
  readonly has: {
    readonly places: boolean
    readonly status: boolean
    readonly portal: boolean
    /** True if search engines may index the public pages. */
    readonly index: boolean
  }
  /** The operator's map tiles: a URL template and their attribution. Default: land and borders from this service. */
  readonly map: { readonly tiles?: string | undefined; readonly attribution?: string | undefined }
  /** Origin of the partner API, if it is another one than that of the pages. */
  readonly apiOrigin?: string | undefined
  readonly assets: AssetFiles
}

/** Returns the address of a page or file below the base path. */
export const linkTo = ({ basePath }: Pick<Site, 'basePath'>, path: string): string => `${basePath}${path}`

/** Returns the path of a request below the base path, without its query: the reverse of `linkTo`. */
export const pathBelowBase = ({ basePath }: Pick<Site, 'basePath'>, url: string): string =>
  url.split('?', 1)[0]!.slice(basePath.length)

/**
 * Returns the origins of the operator's logo and map tiles, for the Content-Security-Policy; a subdomain `{s}` of tiles
 * becomes a wildcard. Paths of this service have none.
 */
export const imageOriginsOf = ({ logo, map }: Pick<Site, 'logo' | 'map'>): readonly string[] =>
  [logo, map.tiles].flatMap(url => {
    const [, scheme, host] = /^(https?:\/\/)([^/?#]+)/.exec(url ?? '') ?? []
    return host === undefined ? [] : [`${scheme}${host.replace('{s}', '*')}`]
  })

/** Returns the address of a stylesheet, script or image. */
export const assetLink = (site: Pick<Site, 'basePath' | 'assets'>, plainName: string): string =>
  linkTo(site, `/assets/${site.assets.nameOf(plainName)}`)
