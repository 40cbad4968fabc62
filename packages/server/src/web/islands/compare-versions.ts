/** Compares a place in two versions: calls the partner API twice, and lists the fields that differ. */

import { explorerSecret } from './explorer-key.ts'
import { type FieldPair, pairFields } from './json-differences.ts'

for (const part of document.querySelectorAll<HTMLElement>('[data-compare]')) prepare(part)

function prepare(part: HTMLElement): void {
  const form = part.querySelector('form')!
  form.addEventListener('submit', event => {
    event.preventDefault()
    void compare(part, form)
  })
}

async function compare(part: HTMLElement, form: HTMLFormElement): Promise<void> {
  const result = part.querySelector<HTMLElement>('.compared')!
  const button = form.querySelector<HTMLButtonElement>('button')!
  const value = (name: string) => String(new FormData(form).get(name) ?? '').trim()
  const versions = [value('before'), value('after')] as const
  button.disabled = true
  try {
    const secret = value('api_key') || (await explorerSecret(part.dataset.keyUrl!))
    const texts = await Promise.all(versions.map(version => read(part.dataset.url!, value('id'), version, secret)))
    result.replaceChildren(...render(pairFields(texts[0]!, texts[1]!), versions))
  } catch (error) {
    result.replaceChildren(element('p', 'error', error instanceof TypeError ? unreachable : (error as Error).message))
  } finally {
    button.disabled = false
  }
}

const unreachable = 'The request could not be sent: the service did not answer.'

/** Returns the text of a place. Throws an Error with the sentence of the service if it was refused. */
async function read(url: string, id: string, version: string, secret: string): Promise<string> {
  const address = new URL(`${url.replace(/\/$/, '')}/locations/${encodeURIComponent(id)}`, location.href)
  address.searchParams.set('version', version)
  const response = await fetch(address, { headers: { 'X-API-Key': secret }, credentials: 'omit', cache: 'no-store' })
  const text = await response.text()
  if (response.ok) return text
  const isProblem = response.headers.get('Content-Type')?.includes('json')
  const detail = isProblem ? (JSON.parse(text) as { readonly detail?: string }).detail : undefined
  throw new Error(`Version ${version}: ${detail ?? `the service answered ${response.status}.`}`)
}

function render(pairs: readonly FieldPair[], versions: readonly [string, string]): HTMLElement[] {
  const different = pairs.filter(({ before, after }) => before !== after)
  const summary = element('p', '', `${different.length} of ${pairs.length} fields differ.`)
  const label = element('label', 'check', '')
  const box = document.createElement('input')
  box.type = 'checkbox'
  label.append(box, ' Show equal fields')
  const table = element('div', 'table', '')
  table.setAttribute('role', 'region')
  table.setAttribute('aria-label', 'Fields in both versions')
  table.tabIndex = 0
  const show = () => table.replaceChildren(renderTable(box.checked ? pairs : different, versions))
  box.addEventListener('change', show)
  show()
  return [summary, label, table]
}

function renderTable(pairs: readonly FieldPair[], versions: readonly [string, string]): HTMLTableElement {
  const table = document.createElement('table')
  const head = table.createTHead().insertRow()
  for (const text of ['Field', ...versions.map(version => `Version ${version}`)]) {
    const cell = element('th', '', text)
    cell.setAttribute('scope', 'col')
    head.append(cell)
  }
  const body = table.createTBody()
  for (const { path, before, after } of pairs) {
    const row = body.insertRow()
    const name = element('th', '', '')
    name.setAttribute('scope', 'row')
    name.append(element('code', '', path))
    row.append(name)
    for (const [i, value] of [before, after].entries()) {
      const cell = row.insertCell()
      cell.dataset.label = `Version ${versions[i]}`
      cell.append(value === undefined ? element('span', 'quiet', 'absent') : element('code', '', value))
    }
  }
  return table
}

function element(name: string, className: string, text: string): HTMLElement {
  const made = document.createElement(name)
  if (className !== '') made.className = className
  made.textContent = text
  return made
}
