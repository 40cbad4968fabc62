/** The page of places: search while typing, the area of the map, and the chosen place. All state is in the URL. */

import { type MapData, mapOf, type PlaceMap } from './map.ts'
import { formUrl, setHidden, syncFilters } from './search-form.ts'
import { addSearchKeys } from './search-keys.ts'
import { addSheet } from './sheet.ts'
import { swapContent } from './swap-content.ts'

/** Pause after the last key, in milliseconds. */
const typingPauseMs = 300
/** Zoom at which a place that is chosen in the list is shown. */
const chosenZoom = 13

const form = document.querySelector<HTMLFormElement>('#search')!
const field = document.querySelector<HTMLInputElement>('#q')!
const areaButton = document.querySelector<HTMLButtonElement>('#search-area')!
const nearButton = document.querySelector<HTMLButtonElement>('#near-me')!
const map = mapOf(document.querySelector('[data-map]')!) as PlaceMap

document.documentElement.classList.add('scripted')
let timer: ReturnType<typeof setTimeout> | undefined
let running: AbortController | undefined
/** Query of the state that was loaded last. */
let loadedQuery = location.search
/** Element that had the focus when a place was chosen. */
let lastFocus: HTMLElement | undefined

/** Loads a state of this page and swaps what differs. */
async function load(target: URL, { keepsView = false } = {}): Promise<boolean> {
  clearTimeout(timer)
  running?.abort()
  const controller = new AbortController()
  running = controller
  loadedQuery = target.search
  document.body.classList.add('busy')
  try {
    const response = await fetch(target, { signal: controller.signal, headers: { Accept: 'text/html' } })
    const text = await response.text()
    if (!response.ok) {
      announce(response.status === 429 ? 'Too many searches at once. Try again in a moment.' : 'The search failed.')
      return false
    }
    show(new DOMParser().parseFromString(text, 'text/html'), keepsView)
    return true
  } catch {
    if (!controller.signal.aborted) announce('The service does not answer.')
    return false
  } finally {
    if (running === controller) document.body.classList.remove('busy')
  }
}

function show(page: Document, keepsView: boolean): void {
  document.title = page.title
  for (const id of ['results', 'chips', 'chosen-place']) {
    const [old, fresh] = [document.getElementById(id), page.getElementById(id)]
    if (old && fresh) swapContent(old, fresh)
  }
  for (const name of ['category', 'near'])
    setHidden(form, name, page.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.value)
  syncFilters(form, page)
  const data = JSON.parse(page.querySelector<HTMLElement>('[data-map]')!.dataset.map!) as MapData
  map.show(data.markers ?? [], keepsView || data.box !== undefined)
  if (data.box && !keepsView) map.showBox(data.box)
  areaButton.hidden = true
}

const announce = (text: string): void => {
  const status = document.querySelector('#count')
  if (status) status.textContent = text
}

/** Returns the URL of the current state with some parameters changed. */
function withParameters(changes: Readonly<Record<string, string | undefined>>): URL {
  const target = new URL(location.href)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) target.searchParams.delete(name)
    else target.searchParams.set(name, value)
  }
  return target
}

// --- Search

field.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(() => {
    const target = formUrl(form)
    history.replaceState(null, '', target)
    void load(target)
  }, typingPauseMs)
})
form.addEventListener('submit', event => {
  event.preventDefault()
  go(formUrl(form))
})
form.addEventListener('change', event => {
  if (event.target !== field) go(formUrl(form))
})

/** Opens another state of the page as a step of the history. */
function go(target: URL, options?: { readonly keepsView: boolean }): void {
  history.pushState(null, '', target)
  void load(target, options)
}

document.addEventListener('click', event => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
  const link = (event.target as Element).closest<HTMLAnchorElement>('a')
  if (!link) return
  if (link.id === 'sheet-close') {
    event.preventDefault()
    close()
  } else if (link.closest('.place')) {
    event.preventDefault()
    choose(link.closest<HTMLElement>('[data-place]')!.dataset.place!)
  } else if (link.closest('#chips, #results') && new URL(link.href).pathname === location.pathname) {
    event.preventDefault()
    go(new URL(link.href))
    if (link.closest('.pager')) document.querySelector('.places-list')?.scrollIntoView()
  }
})

// --- The chosen place

/** Shows a place in the panel; Back and Close return to the list. */
function choose(id: string): void {
  lastFocus = document.activeElement instanceof HTMLElement ? document.activeElement : undefined
  const target = withParameters({ id })
  history.pushState({ isChosen: true }, '', target)
  void load(target, { keepsView: true }).then(isLoaded => isLoaded && showChosen(id))
}

function showChosen(id: string): void {
  document.querySelector<HTMLElement>('#chosen-title')?.focus({ preventScroll: true })
  const marker = map.find(id)
  if (marker) map.goTo(marker.at, chosenZoom)
  map.highlight(id)
}

/** Returns to the list. A panel that was opened here is left by going back, so that the history stays short. */
function close(): void {
  if (!document.querySelector('.sheet')) return
  if ((history.state as { readonly isChosen?: boolean } | null)?.isChosen) {
    history.back()
    return
  }
  const target = withParameters({ id: undefined })
  history.replaceState(null, '', target)
  void load(target, { keepsView: true }).then(returnFocus)
}

function returnFocus(): void {
  const id = lastFocus?.closest<HTMLElement>('[data-place]')?.dataset.place
  const link = id === undefined ? null : document.querySelector<HTMLElement>(`.place[data-place="${CSS.escape(id)}"] a`)
  ;(link ?? field).focus()
}

addEventListener('popstate', () => {
  const hadChosen = document.querySelector('.sheet') !== null
  const target = new URL(location.href)
  // Links within the page, such as the skip link, change the fragment only.
  if (target.search === loadedQuery) return
  field.value = target.searchParams.get('q') ?? ''
  void load(target, { keepsView: hadChosen }).then(isLoaded => {
    const id = target.searchParams.get('id')
    if (isLoaded && id !== null) showChosen(id)
    else if (hadChosen) returnFocus()
  })
})

// --- The map

map.onChoose(id => {
  choose(id)
  return true
})
map.onMoved(() => {
  areaButton.hidden = false
})
areaButton.addEventListener('click', () => {
  const box = map
    .box()
    .map((value, i) => Math.min(i % 2 === 0 ? 90 : 180, Math.max(i % 2 === 0 ? -90 : -180, value)).toFixed(4))
  const hadText = field.value !== ''
  const isMove = new URL(location.href).searchParams.has('box')
  const target = withParameters({ box: box.join(), q: undefined, near: undefined, page: undefined, id: undefined })
  field.value = ''
  if (isMove) history.replaceState(null, '', target)
  else history.pushState(null, '', target)
  void load(target, { keepsView: true }).then(isLoaded => {
    // The button is gone now.
    document.querySelector<HTMLElement>('#results a')?.focus({ preventScroll: true })
    if (isLoaded && hadText)
      announce(`${document.querySelector('#count')?.textContent ?? ''}. The search text was cleared.`)
  })
})
if ('geolocation' in navigator) {
  nearButton.hidden = false
  nearButton.addEventListener('click', () => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) =>
        go(
          withParameters({
            near: `${coords.latitude.toFixed(3)},${coords.longitude.toFixed(3)}`,
            box: undefined,
            page: undefined,
            id: undefined,
          }),
        ),
      () => announce('Your position is not available.'),
    )
  })
}

addSearchKeys(field, close)
addSheet(close)

const first = new URL(location.href).searchParams.get('id')
if (first !== null) showChosen(first)
