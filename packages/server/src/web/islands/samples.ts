/** Turns groups of code samples into tabs, and adds buttons that copy blocks of code and shortened values. */

const languageName = 'periplus-language'

for (const group of document.querySelectorAll<HTMLElement>('.samples')) makeTabs(group)
for (const block of document.querySelectorAll<HTMLElement>('.code')) {
  const code = block.querySelector('code')
  if (code) addCopyButton(block, () => code.textContent)
}
for (const part of document.querySelectorAll<HTMLElement>('[data-copy]'))
  addCopyButton(part, () => part.dataset.copy!, part.dataset.label)

function makeTabs(group: HTMLElement): void {
  const panels = [...group.querySelectorAll<HTMLElement>('.code')]
  if (panels.length < 2) return
  const list = document.createElement('div')
  list.setAttribute('role', 'tablist')
  list.setAttribute('aria-label', 'Language')
  const tabs = panels.map((panel, i) => makeTab(panel, i))
  list.append(...tabs)
  group.prepend(list)
  group.classList.add('tabbed')
  list.addEventListener('keydown', event => moveFocus(event, tabs))
  const wanted = tabs.find(tab => tab.textContent === readLanguage())
  select(group, (wanted ?? tabs[0]!).textContent)
}

function makeTab(panel: HTMLElement, i: number): HTMLButtonElement {
  const caption = panel.querySelector('figcaption')
  const tab = document.createElement('button')
  tab.type = 'button'
  tab.textContent = caption?.textContent ?? String(i + 1)
  tab.setAttribute('role', 'tab')
  caption?.remove()
  panel.id ||= `sample-${crypto.randomUUID()}`
  panel.setAttribute('role', 'tabpanel')
  panel.setAttribute('aria-label', tab.textContent)
  tab.setAttribute('aria-controls', panel.id)
  tab.addEventListener('click', () => choose(tab))
  return tab
}

/** Shows a language in all groups of the page, and remembers it. */
function choose(tab: HTMLButtonElement): void {
  // The tab stays where the reader looks at it, although groups above it change their height.
  const top = tab.getBoundingClientRect().top
  for (const group of document.querySelectorAll<HTMLElement>('.samples.tabbed')) select(group, tab.textContent)
  scrollBy(0, tab.getBoundingClientRect().top - top)
  try {
    localStorage.setItem(languageName, tab.textContent)
  } catch {
    // The browser stores nothing; the choice lasts as long as the page.
  }
}

function select(group: HTMLElement, language: string): void {
  const tabs = [...group.querySelectorAll<HTMLButtonElement>('[role=tab]')]
  if (!tabs.some(tab => tab.textContent === language)) return
  for (const tab of tabs) {
    const isSelected = tab.textContent === language
    tab.setAttribute('aria-selected', String(isSelected))
    tab.tabIndex = isSelected ? 0 : -1
    document.getElementById(tab.getAttribute('aria-controls')!)!.hidden = !isSelected
  }
}

function moveFocus(event: KeyboardEvent, tabs: readonly HTMLButtonElement[]): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  const current = tabs.indexOf(event.target as HTMLButtonElement)
  if (step === undefined || current === -1) return
  const next = tabs[(current + step + tabs.length) % tabs.length]!
  choose(next)
  next.focus()
  event.preventDefault()
}

function readLanguage(): string | null {
  try {
    return localStorage.getItem(languageName)
  } catch {
    return null
  }
}

function addCopyButton(to: HTMLElement, text: () => string, label?: string): void {
  // Browsers offer the clipboard to https and localhost only.
  if (!navigator.clipboard) return
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  if (label !== undefined) button.setAttribute('aria-label', `Copy ${label}`)
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text())
    button.textContent = 'Copied'
    setTimeout(() => (button.textContent = 'Copy'), 2000)
  })
  to.append(button)
}
