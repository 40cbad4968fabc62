import { Marked, type RendererObject, type Token } from 'marked'
import { Html, html } from '../../../web/html.ts'
import type { LayoutPage } from '../../../web/layout.ts'
import { codeBlock, type Sample, samples } from '../../../web/parts/code.ts'
import { callSamples } from '../../../web/samples.ts'
import type { VersionReference } from './reference.ts'

/** The place that calls of the bundled texts ask for. */
const examplePlace = '/locations/1?'

/** Base URLs of the bundled texts, in place of the address of the service. */
const exampleUrl = /https:\/\/places\.example(?:\.com)?(?=[/\s"']|$)/g

/** Returns a page with a bundled Markdown text; its first heading is the title, and calls in curl become samples. */
export function markdownPage(
  markdown: string,
  path: string,
  { nav, publicUrl, placeId }: VersionReference,
): LayoutPage {
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? 'Documentation'
  const text = markdown
    .replace(/^# .+\n/m, '')
    .replaceAll(exampleUrl, publicUrl)
    .replaceAll(examplePlace, `/locations/${placeId}?`)
  return {
    title,
    path,
    nav,
    scripts: ['samples.js', 'docs-search.js'],
    content: html`<article class="prose">${renderMarkdown(text, publicUrl)}</article>`,
  }
}

/** Returns a Markdown text as HTML. Blocks of code that follow each other and name a language become samples. */
export function renderMarkdown(text: string, publicUrl: string): Html {
  const marked = new Marked({ renderer: createRenderer(publicUrl) })
  const tokens: Token[] = []
  let group: Sample[] = []
  const endGroup = () => {
    if (group.length > 0) tokens.push({ type: 'html', raw: '', pre: false, block: true, text: samples(group).text })
    group = []
  }
  for (const token of marked.lexer(text)) {
    if (token.type === 'code' && token.lang) group.push({ label: token.lang as string, code: token.text as string })
    else if (token.type !== 'space' || group.length === 0) {
      endGroup()
      tokens.push(token)
    }
  }
  endGroup()
  return new Html(marked.parser(tokens))
}

/**
 * Returns the parts of Markdown that differ from the default: headings with ids, tables that scroll, blocks of code.
 */
const createRenderer = (publicUrl: string): RendererObject => ({
  heading({ tokens, depth, text }) {
    return `<h${depth} id="${toSlug(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
  },
  code({ text }) {
    return renderCode(text, publicUrl).text
  },
  tablecell({ tokens, header, align }) {
    const name = header ? 'th scope="col"' : 'td'
    return `<${name}${align ? ` class="${align}"` : ''}>${this.parser.parseInline(tokens)}</${header ? 'th' : 'td'}>\n`
  },
  table({ header, rows }) {
    const row = (cells: typeof header) => `<tr>${cells.map(cell => this.tablecell(cell)).join('')}</tr>\n`
    const content = `<thead>${row(header)}</thead><tbody>${rows.map(row).join('')}</tbody>`
    return `<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>${content}</table></div>\n`
  },
})

/** Returns a block of code: a single call in curl in all languages of the samples, anything else as it is. */
function renderCode(text: string, publicUrl: string): Html {
  const url = /^curl -H "X-API-Key: \$PERIPLUS_KEY" "?([^"\s]+)"?$/.exec(text.trim())?.[1]
  if (url === undefined || !url.startsWith(`${publicUrl}/`)) return codeBlock(text)
  const { searchParams } = new URL(url)
  const path = url.slice(publicUrl.length).split('?', 1)[0]!
  return samples(callSamples({ publicUrl, path, query: Object.fromEntries(searchParams) }))
}

const toSlug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\w]+/g, '-')
    .replaceAll(/^-|-$/g, '')
