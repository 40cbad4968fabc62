import { marked } from 'marked'
import { Html } from '../../web/html.ts'
import type { LayoutPage } from '../../web/layout.ts'

/** Returns a page with the content of a bundled Markdown file; its first heading is the title. */
export function toMarkdownPage(markdown: string, path: string): LayoutPage {
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? 'Documentation'
  return { title, path, showsTitle: false, content: new Html(marked.parse(markdown, { async: false })) }
}
