/** Escapes a text for HTML content and attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)

/** Serialises a value for a script element of type application/json. */
export const toEmbeddedJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

/** The variable parts of a page. */
export interface HtmlPage {
  readonly title: string
  /** Path from the page to the root of the service: `./`, `../` or `/base/`. */
  readonly root: string
  readonly body: string
  /** Additional elements of the head. */
  readonly head?: string
}

/** Returns a complete page in the style of the service. */
export const renderHtmlPage = ({ title, root, body, head = '' }: HtmlPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${root}assets/mark.svg">
<link rel="stylesheet" href="${root}assets/periplus.css">
${head}</head>
<body>
${body}
</body>
</html>
`
