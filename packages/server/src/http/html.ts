/** Text as it may stand in HTML content and attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)

/** A whole page in the service's plain look. */
export const htmlPage = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; --ink: light-dark(#14252e, #dfe9ee); --paper: light-dark(#fbfaf7, #10191e); --line: light-dark(#d5d9d8, #2b3a42); --sea: light-dark(#0b6477, #5cc3d8) }
body { margin: 0 auto; max-width: 56rem; padding: 2rem 1.25rem 4rem; font: 1rem/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper) }
a { color: var(--sea) }
h1, h2 { line-height: 1.2 }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .4rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top }
code, pre { font: .9em/1.5 ui-monospace, monospace }
pre { overflow-x: auto; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: .4rem }
</style>
</head>
<body>
${body}
</body>
</html>
`
