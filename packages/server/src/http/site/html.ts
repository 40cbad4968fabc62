/** Text as it may stand in HTML content and attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)

/** A value as it may stand in a script element of type application/json. */
export const embeddedJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

export interface HtmlPage {
  readonly title: string
  /** Leads from the page to the service's root: `./`, `../`, `/base/`. */
  readonly root: string
  readonly body: string
  /** Further elements of the head. */
  readonly head?: string
}

/** A whole page in the service's look. */
export const htmlPage = ({ title, root, body, head = '' }: HtmlPage): string => `<!doctype html>
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
