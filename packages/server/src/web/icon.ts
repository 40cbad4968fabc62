import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Html } from './html.ts'

const { resolve } = createRequire(import.meta.url)
const icons = new Map<string, Html>()

/** Returns an icon of Bootstrap Icons by its name there, sized by the text around it and hidden from screen readers. */
export function icon(name: string): Html {
  const known = icons.get(name)
  if (known) return known
  const file = readFileSync(resolve(`bootstrap-icons/icons/${name}.svg`), 'utf8')
  const paths = file.slice(file.indexOf('>') + 1, file.lastIndexOf('</svg>')).replaceAll(/\n\s*/g, '')
  const markup = `<svg class="icon" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">${paths}</svg>`
  const made = new Html(markup)
  icons.set(name, made)
  return made
}
