import { topFolders } from '../partner/routes.ts'
import type { WebDocument } from '../wire/http-response.ts'
import { RenderedBody } from '../wire/rendered.ts'

/** Returns robots.txt (RFC 9309): crawlers may read the pages, but not the API, which requires a key. */
export function createRobotsFile(basePath: string): WebDocument {
  const lines = ['User-agent: *', ...topFolders.map(folder => `Disallow: ${basePath}/${folder}`), '']
  return {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
    rendered: new RenderedBody(Buffer.from(lines.join('\n'))),
  }
}
