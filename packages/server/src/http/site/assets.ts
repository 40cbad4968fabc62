import type { AssetFiles } from '../../web/asset-files.ts'
import type { WebDocument } from '../wire/http-response.ts'
import { RenderedBody } from '../wire/rendered.ts'

/**
 * Returns a function that finds the stylesheets, scripts and images of pages. A name with a hash never changes its
 * content.
 */
export function createAssetPages(assets: AssetFiles): (name: string) => WebDocument | undefined {
  const documents = new Map<string, WebDocument>()
  return name => {
    const known = documents.get(name)
    if (known) return known
    const asset = assets.find(name)
    if (!asset) return undefined
    const isFixed = asset.name === name
    const document = {
      headers: {
        'Content-Type': asset.type,
        'Cache-Control': isFixed ? 'public, max-age=31536000, immutable' : 'no-cache',
      },
      rendered: new RenderedBody(asset.content),
    }
    documents.set(name, document)
    return document
  }
}
