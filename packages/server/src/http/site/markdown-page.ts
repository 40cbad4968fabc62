import { marked } from 'marked'
import { escapeHtml, htmlPage } from './html.ts'

/** One of our own Markdown files as a page; its first heading is the title. */
export function markdownPage(markdown: string, root: string): string {
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? 'Documentation'
  const base = escapeHtml(root)
  return htmlPage({
    title: `${title} · Periplus`,
    root: base,
    body: `<main>
${marked.parse(markdown, { async: false })}
<p><a href="${base}docs">API reference</a> · <a href="${base}docs/versions">Versions</a> · <a href="${base}">Home</a></p>
</main>`,
  })
}
