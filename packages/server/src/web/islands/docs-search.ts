/** Searches the documentation while typing. The index is loaded with the first use. */

interface Entry {
  readonly title: string
  readonly of: string
  readonly href: string
  readonly words: string
}

const maxShown = 12

showCurrentPage()
for (const box of document.querySelectorAll<HTMLElement>('.docs-search')) prepare(box)

/** Scrolls the navigation to the link of the current page. */
function showCurrentPage(): void {
  const nav = document.querySelector<HTMLElement>('.section-nav nav')
  const link = nav?.querySelector<HTMLElement>('[aria-current=page]')
  if (nav && link && link.offsetTop > nav.clientHeight) nav.scrollTop = link.offsetTop - nav.clientHeight / 2
}

function prepare(box: HTMLElement): void {
  const input = document.createElement('input')
  input.type = 'search'
  input.placeholder = 'Search the docs'
  input.setAttribute('aria-label', 'Search the documentation')
  input.autocomplete = 'off'
  const list = document.createElement('ul')
  list.hidden = true
  const status = document.createElement('p')
  status.className = 'unseen'
  status.setAttribute('role', 'status')
  box.append(input, list, status)
  let entries: Promise<readonly Entry[]> | undefined
  const load = () => (entries ??= fetch(box.dataset.index!).then(response => response.json()))
  input.addEventListener('focus', () => void load().catch(() => (entries = undefined)), { once: false })
  const search = async () => {
    try {
      show(list, status, find(await load(), input.value), input.value.trim())
    } catch {
      status.textContent = 'The search is not available.'
    }
  }
  input.addEventListener('input', search)
  input.addEventListener('keydown', async event => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    // The index may still be loading, or the results may be those of a shorter text.
    await search()
    list.querySelector('a')?.click()
  })
  box.addEventListener('keydown', event => moveFocus(event, input, list))
  document.addEventListener('keydown', event => {
    const target = event.target as HTMLElement
    if (event.key !== '/' || event.ctrlKey || event.metaKey || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
      return
    if (!input.checkVisibility()) box.closest<HTMLElement>('[popover]')?.showPopover()
    input.focus()
    event.preventDefault()
  })
}

/** Returns the entries that contain every word, those with the words in their title first. */
function find(entries: readonly Entry[], query: string): readonly Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const scored = entries.flatMap(entry => {
    const title = entry.title.toLowerCase()
    const all = `${title} ${entry.of} ${entry.words}`.toLowerCase()
    if (!words.every(word => all.includes(word))) return []
    const inTitle = words.filter(word => title.includes(word)).length
    return [{ entry, score: inTitle * 2 + (title.startsWith(words[0]!) ? 1 : 0) }]
  })
  return scored
    .toSorted((a, b) => b.score - a.score)
    .slice(0, maxShown)
    .map(({ entry }) => entry)
}

function show(list: HTMLElement, status: HTMLElement, found: readonly Entry[], query: string): void {
  list.hidden = query === ''
  status.textContent = query === '' ? '' : `${found.length} results`
  const items = found.map(({ title, of, href }) => {
    const link = document.createElement('a')
    link.href = href
    const kind = document.createElement('span')
    kind.textContent = of
    link.append(title, kind)
    const item = document.createElement('li')
    item.append(link)
    return item
  })
  if (items.length === 0) {
    const item = document.createElement('li')
    item.className = 'nothing'
    item.textContent = 'Nothing found.'
    items.push(item)
  }
  list.replaceChildren(...items)
}

/** Arrow keys move through the results, Escape empties the search. */
function moveFocus(event: KeyboardEvent, input: HTMLInputElement, list: HTMLElement): void {
  const stops = [input, ...list.querySelectorAll<HTMLElement>('a')]
  const current = stops.indexOf(event.target as HTMLElement)
  if (event.key === 'Escape' && input.value !== '') {
    // The popover around the search is closed by the next one.
    event.preventDefault()
    input.value = ''
    list.hidden = true
    input.focus()
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    const next = stops[current + (event.key === 'ArrowDown' ? 1 : -1)]
    next?.focus()
    event.preventDefault()
  }
}
