import { marked } from 'marked'
import { escapeHtml, renderHtmlPage } from './html.ts'

/** Returns a page with the content of a bundled Markdown file; its first heading is the title. */
export function renderMarkdownPage(markdown: string, root: string): string {
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? 'Documentation'
  const base = escapeHtml(root)
  return renderHtmlPage({
    title: `${title} · Periplus`,
    root: base,
    body: `<main>
${marked.parse(markdown, { async: false })}
<p><a href="${base}docs">API reference</a> · <a href="${base}docs/versions">Versions</a> · <a href="${base}">Home</a></p>
</main>`,
  })
}
