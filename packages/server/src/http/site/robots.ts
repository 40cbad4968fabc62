import type { Site } from '../../web/site.ts'
import { topFolders } from '../partner/routes.ts'
import type { WebDocument } from '../wire/http-response.ts'
import { RenderedBody } from '../wire/rendered.ts'

/**
 * Returns robots.txt (RFC 9309): crawlers may not read the API, which requires a key, and the pages only if the
 * operator allows it.
 */
export function createRobotsFile({ basePath, has }: Pick<Site, 'basePath' | 'has'>): WebDocument {
  const folders = [...topFolders.map(folder => `${basePath}/${folder}`), ...(has.index ? [] : [`${basePath}/`])]
  const lines = ['User-agent: *', ...folders.map(folder => `Disallow: ${folder}`), '']
  return {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
    rendered: new RenderedBody(Buffer.from(lines.join('\n'))),
  }
}
