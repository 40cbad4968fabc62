/** The landing page of a demo: search while typing, and a test of a limit. Sends requests only to its own service. */

import './landing-burst.js'
import { byId, call, make, parseBody, root, site } from './landing-common.js'
import { showLimits } from './landing-limits.js'
import {
  addressLine,
  categoryOf,
  detailsList,
  distanceText,
  languageTag,
  preferredText,
  primaryName,
  ratingOf,
  shortened,
  statusBadge,
} from './landing-place.js'

const debounceMs = 300
const maxResults = 10

const [query, near, summary, list, details, request, curl, copy, limits] = [
  'query',
  'near',
  'summary',
  'results',
  'details',
  'request',
  'curl',
  'copy',
  'limits',
].map(byId)

// --- Search

let found = []
let active = -1
let timer
let running

/** Returns the URL of the current search. */
function searchUrl() {
  const target = new URL('locations/search', root)
  target.searchParams.set('query', query.value)
  const at = point()
  if (at) {
    target.searchParams.set('lat', at.latitude)
    target.searchParams.set('lon', at.longitude)
  }
  target.searchParams.set('size', maxResults)
  target.searchParams.set('version', '1')
  return target
}

/** Returns the coordinates selected in the field `near`. */
function point() {
  const [latitude, longitude] = near.value.split(',').map(Number)
  return near.value === '' ? undefined : { latitude, longitude }
}

/** Searches after a pause in typing. */
function searchSoon() {
  clearTimeout(timer)
  running?.abort()
  if (query.value.trim() === '') return clear()
  timer = setTimeout(search, debounceMs)
}

/** Sends the current search and shows its results. */
async function search() {
  clearTimeout(timer)
  running?.abort()
  if (query.value.trim() === '') return clear()
  const controller = new AbortController()
  running = controller
  const target = searchUrl()
  try {
    const response = await call(target, site.searchKey, controller.signal)
    showRequest(target, response.headers)
    const body = parseBody(response.text)
    if (response.status === 200) showFound(body, response.ms)
    else {
      showNothing(`${response.status}: ${body.detail ?? body.title}`)
      // For example, while the first index is being built.
      const retryAfter = response.headers.get('Retry-After')
      if (retryAfter !== null) timer = setTimeout(search, Number(retryAfter) * 1000)
    }
  } catch {
    if (!controller.signal.aborted) showNothing('The service is not responding.')
  }
}

function clear() {
  showNothing('')
  details.hidden = true
}

function showNothing(text) {
  found = []
  summary.textContent = text
  expand(false)
}

function showFound({ data, pagination }, ms) {
  found = data
  const total = pagination.total_elements
  const count =
    total >= 10_000 ? '10,000 or more places' : `${total.toLocaleString('en')} place${total === 1 ? '' : 's'}`
  summary.textContent = `${count} in ${Math.max(1, Math.round(ms))} ms`
  list.replaceChildren(...data.map(option))
  list.scrollTop = 0
  expand(data.length > 0)
}

/** Opens or closes the list of results. */
function expand(open) {
  list.hidden = !open
  query.setAttribute('aria-expanded', String(open))
  activate(-1)
}

/** Marks one result as active; -1 for none. */
function activate(index) {
  list.children[active]?.setAttribute('aria-selected', 'false')
  active = index
  const chosen = list.children[index]
  if (!chosen) return query.removeAttribute('aria-activedescendant')
  chosen.setAttribute('aria-selected', 'true')
  chosen.scrollIntoView({ block: 'nearest' })
  query.setAttribute('aria-activedescendant', chosen.id)
}

/** Creates the list item of a result. */
function option({ location: place, matched_value: matched }, index) {
  const name = primaryName(place)
  const other = matched && matched.value !== name.value ? matched : undefined
  const element = make(
    'li',
    { role: 'option', id: `result-${index}`, 'aria-selected': 'false' },
    make(
      'div',
      {},
      make(
        'div',
        { class: 'name' },
        make(
          'span',
          { class: 'words' },
          make('span', { lang: languageTag(name) }, name.value),
          other && make('span', { class: 'matched', lang: languageTag(other) }, ` · ${other.value}`),
        ),
        statusBadge(place),
      ),
      make('div', { class: 'where' }, [categoryOf(place), addressLine(place)].filter(Boolean).join(' · ')),
    ),
    make('div', { class: 'side' }, ratingOf(place), make('div', { class: 'distance' }, distanceText(place, point()))),
  )
  // Keep the focus in the field, so that arrow keys continue from the clicked result.
  element.addEventListener('mousedown', event => event.preventDefault())
  element.addEventListener('click', () => choose(index))
  return element
}

query.addEventListener('input', searchSoon)
near.addEventListener('change', search)
byId('examples').addEventListener('click', event => {
  if (!event.target.matches('button')) return
  query.value = event.target.textContent
  query.focus()
  search()
})

query.addEventListener('keydown', event => {
  if (event.isComposing) return
  const act = keys[event.key]
  if (act?.()) event.preventDefault()
})

/** Actions of keys in the search field; they return true to suppress the browser's default. */
const keys = {
  ArrowDown: () => move(1),
  ArrowUp: () => move(-1),
  Enter: () => {
    if (list.hidden || found.length === 0) search()
    else choose(Math.max(0, active))
    return true
  },
  Escape: () => {
    if (!details.hidden) details.hidden = true
    else if (!list.hidden) expand(false)
    else {
      query.value = ''
      clear()
    }
    return true
  },
}

/** Moves the active result by one; false without results. */
function move(step) {
  if (found.length === 0) return false
  if (list.hidden) expand(true)
  const from = active < 0 && step < 0 ? 0 : active
  activate((from + step + found.length) % found.length)
  return true
}

// --- Details

/** Loads a place and shows its details. */
async function choose(index) {
  activate(index)
  const { id } = found[index].location
  const target = new URL(`locations/${id}?version=1`, root)
  try {
    const response = await call(target, site.searchKey)
    showRequest(target, response.headers)
    if (response.status === 200) showDetails(parseBody(response.text).data, response.text)
    else showProblem(response)
  } catch {
    summary.textContent = 'The service is not responding.'
  }
}

function showProblem({ status, text }) {
  summary.textContent = `${status}: ${parseBody(text).detail}`
}

function showDetails(place, text) {
  const name = primaryName(place)
  const others = place.names.filter(other => other.value !== name.value)
  const description = preferredText(place.descriptions)
  const close = make('button', { type: 'button', class: 'chip' }, 'Close')
  const around = make('button', { type: 'button', class: 'chip' }, 'Search near here')
  close.addEventListener('click', () => {
    details.hidden = true
    query.focus()
  })
  around.addEventListener('click', () => searchAround(name.value, place.coordinates))
  details.replaceChildren(
    make('h3', { lang: languageTag(name) }, name.value, statusBadge(place)),
    make(
      'p',
      { class: 'others' },
      ...others.flatMap((other, i) => [i > 0 ? ' · ' : '', make('span', { lang: languageTag(other) }, other.value)]),
    ),
    ratingOf(place) ?? '',
    description ? make('p', { lang: languageTag(description) }, shortened(description.value)) : '',
    detailsList(place, point()),
    make('p', {}, around, ' ', close),
    make(
      'details',
      {},
      make('summary', {}, `GET /locations/${place.id}`),
      make('pre', { tabindex: '0' }, JSON.stringify(JSON.parse(text), null, 2)),
    ),
  )
  details.hidden = false
}

function searchAround(name, { latitude, longitude }) {
  const value = `${latitude},${longitude}`
  if (![...near.options].some(one => one.value === value)) near.prepend(make('option', { value }, name))
  near.value = value
  query.focus()
  search()
}

// --- The request and the remaining limits

function showRequest(target, headers) {
  request.hidden = false
  curl.textContent = `curl -H 'X-API-Key: ${site.searchKey}' '${target.href}'`
  showLimits(limits, headers)
}

copy.addEventListener('click', async () => {
  try {
    await navigator.clipboard.writeText(curl.textContent)
    copy.textContent = 'Copied'
  } catch {
    // Without permission to use the clipboard, select the text for manual copying.
    getSelection().selectAllChildren(curl)
    copy.textContent = 'Selected'
  }
  setTimeout(() => {
    copy.textContent = 'Copy'
  }, 1500)
})
