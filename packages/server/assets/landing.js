/** The demo's landing page: search as one types, and a limit to run into. Asks nobody but the service it came from. */

const site = JSON.parse(document.querySelector('#site').textContent)
const root = new URL(site.root, location.href)
const debounceMs = 300
const shown = 10

const [query, near, summary, list, details, request, curl, copy, limits, hammer, calls, verdict, hammered] = [
  'query',
  'near',
  'summary',
  'results',
  'details',
  'request',
  'curl',
  'copy',
  'limits',
  'hammer',
  'calls',
  'verdict',
  'hammered',
].map(id => document.getElementById(id))

/** An element with attributes and children; texts are texts, never markup. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(key, value)
  }
  element.append(...children.flat().filter(child => child !== undefined && child !== ''))
  return element
}

/** One call of the API, past the browser's cache: what is left is told by each answer anew. */
async function call(target, key, signal) {
  const startMs = performance.now()
  const response = await fetch(target, { headers: { 'X-API-Key': key }, cache: 'no-store', signal })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, ms: performance.now() - startMs }
}

/** Ids may be beyond what a number holds: they stay the digits they were sent as. */
const parsed = text =>
  JSON.parse(text, (name, value, context) => (name === 'id' ? String(context?.source ?? value) : value))

// --- Search

let found = []
let active = -1
let waiting
let running

function asked() {
  const target = new URL('locations/search', root)
  target.searchParams.set('query', query.value)
  const at = point()
  if (at) {
    target.searchParams.set('lat', at.latitude)
    target.searchParams.set('lon', at.longitude)
  }
  target.searchParams.set('size', shown)
  target.searchParams.set('version', '1')
  return target
}

function point() {
  const [latitude, longitude] = near.value.split(',').map(Number)
  return near.value === '' ? undefined : { latitude, longitude }
}

function searchSoon() {
  clearTimeout(waiting)
  running?.abort()
  if (query.value.trim() === '') return clear()
  waiting = setTimeout(search, debounceMs)
}

async function search() {
  clearTimeout(waiting)
  running?.abort()
  if (query.value.trim() === '') return clear()
  const mine = new AbortController()
  running = mine
  const target = asked()
  try {
    const answer = await call(target, site.searchKey, mine.signal)
    showRequest(target, answer.headers)
    const body = parsed(answer.text)
    if (answer.status === 200) showFound(body, answer.ms)
    else {
      showNothing(`${answer.status}: ${body.detail ?? body.title}`)
      // Such as while the first index is built.
      const retryAfter = answer.headers.get('Retry-After')
      if (retryAfter !== null) waiting = setTimeout(search, Number(retryAfter) * 1000)
    }
  } catch {
    if (!mine.signal.aborted) showNothing('The service does not answer.')
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
    total >= 10_000 ? '10,000 places or more' : `${total.toLocaleString('en')} place${total === 1 ? '' : 's'}`
  summary.textContent = `${count} in ${Math.max(1, Math.round(ms))} ms`
  list.replaceChildren(...data.map(option))
  list.scrollTop = 0
  expand(data.length > 0)
}

function expand(open) {
  list.hidden = !open
  query.setAttribute('aria-expanded', String(open))
  activate(-1)
}

function activate(index) {
  list.children[active]?.setAttribute('aria-selected', 'false')
  active = index
  const chosen = list.children[index]
  if (!chosen) return query.removeAttribute('aria-activedescendant')
  chosen.setAttribute('aria-selected', 'true')
  chosen.scrollIntoView({ block: 'nearest' })
  query.setAttribute('aria-activedescendant', chosen.id)
}

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
      make('div', { class: 'where' }, [categoryOf(place), whereabouts(place)].filter(Boolean).join(' · ')),
    ),
    make('div', { class: 'side' }, rating(place), make('div', { class: 'distance' }, distanceText(place))),
  )
  // The field keeps the focus: arrow keys go on from the result that was clicked.
  element.addEventListener('mousedown', event => event.preventDefault())
  element.addEventListener('click', () => choose(index))
  return element
}

const languageTag = text => text.language?.replaceAll('_', '-')
const primaryName = place => place.names.find(name => name.primary) ?? place.names[0]
const categoryOf = place => place.categories?.[0]?.display_name

function statusBadge({ status }) {
  if (!status) return undefined
  const words = { OPEN: 'open', TEMPORARILY_CLOSED: 'closed for now', CLOSED: 'closed' }
  return make('span', { class: `badge ${status.value}` }, words[status.value] ?? status.value)
}

function whereabouts({ addresses: [address] = [] }) {
  if (!address) return ''
  const { street_address: street, city, state, country_name: country, country_code: code } = address
  return [street, city ?? state, country ?? code].filter(Boolean).join(', ')
}

function rating({ traveler_ratings: ratings }) {
  const overall = ratings?.overall
  if (!overall?.icon_url) return undefined
  // By the address of this page, whatever name the service has outside.
  const icon = new URL(overall.icon_url.slice(overall.icon_url.indexOf('/icons/') + 1), root)
  return make(
    'span',
    { class: 'rating' },
    make('img', { src: icon.href, alt: `${overall.rating} of 5`, width: '80', height: '16' }),
    `${overall.rating.toFixed(1)} (${overall.count.toLocaleString('en')})`,
  )
}

function distanceText({ coordinates }) {
  const from = point()
  if (!from || !coordinates) return ''
  const km = kilometres(from, coordinates)
  if (km < 1) return `${Math.round(km * 100) * 10} m`
  return `${km < 100 ? km.toFixed(1) : Math.round(km).toLocaleString('en')} km`
}

function kilometres(a, b) {
  const rad = Math.PI / 180
  const h =
    Math.sin(((b.latitude - a.latitude) * rad) / 2) ** 2 +
    Math.cos(a.latitude * rad) * Math.cos(b.latitude * rad) * Math.sin(((b.longitude - a.longitude) * rad) / 2) ** 2
  return 2 * 6371.0088 * Math.asin(Math.min(1, Math.sqrt(h)))
}

query.addEventListener('input', searchSoon)
near.addEventListener('change', search)
document.getElementById('examples').addEventListener('click', event => {
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

/** What a key does in the field; true where the browser has nothing to add. */
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

function move(step) {
  if (found.length === 0) return false
  if (list.hidden) expand(true)
  const from = active < 0 && step < 0 ? 0 : active
  activate((from + step + found.length) % found.length)
  return true
}

// --- Details

async function choose(index) {
  activate(index)
  const { id } = found[index].location
  const target = new URL(`locations/${id}?version=1`, root)
  try {
    const answer = await call(target, site.searchKey)
    showRequest(target, answer.headers)
    if (answer.status === 200) showDetails(parsed(answer.text).data, answer.text)
    else showProblem(answer)
  } catch {
    summary.textContent = 'The service does not answer.'
  }
}

function showProblem({ status, text }) {
  summary.textContent = `${status}: ${parsed(text).detail}`
}

function showDetails(place, text) {
  const name = primaryName(place)
  const others = place.names.filter(other => other.value !== name.value)
  const description = preferred(place.descriptions)
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
    rating(place) ?? '',
    description ? make('p', { lang: languageTag(description) }, shortened(description.value)) : '',
    facts(place),
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

const preferred = (texts = []) => texts.find(({ language }) => language?.startsWith('en')) ?? texts[0]

function shortened(text) {
  return text.length > 420 ? `${text.slice(0, text.lastIndexOf(' ', 400))} …` : text
}

function facts(place) {
  const official = place.urls?.official
  const rows = {
    Category: categoryOf(place),
    Address: whereabouts(place),
    Where: place.coordinates && `${place.coordinates.latitude}, ${place.coordinates.longitude}`,
    Away: distanceText(place),
    Hours: place.opening_hours?.formatted?.[0],
    Phone: place.phone_numbers?.map(({ value }) => value).join(', '),
    Web: official && /^https?:/.test(official) ? make('a', { href: official, rel: 'noreferrer' }, official) : undefined,
    Source: place.attributions?.map(({ source, license }) => [source, license].filter(Boolean).join(', ')).join('; '),
  }
  return make(
    'dl',
    {},
    ...Object.entries(rows).flatMap(([name, value]) => (value ? [make('dt', {}, name), make('dd', {}, value)] : [])),
  )
}

function searchAround(name, { latitude, longitude }) {
  const value = `${latitude},${longitude}`
  if (![...near.options].some(one => one.value === value)) near.prepend(make('option', { value }, name))
  near.value = value
  query.focus()
  search()
}

// --- The request, and what is left

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
    // Without the right to write: marked, to be copied by hand.
    getSelection().selectAllChildren(curl)
    copy.textContent = 'Marked'
  }
  setTimeout(() => {
    copy.textContent = 'Copy'
  }, 1500)
})

const policyNames = {
  rate: 'calls',
  daily: 'calls a day',
  search: 'searches',
  'search-daily': 'searches a day',
  penalty: 'penalty',
}

/** `"search";q=5;w=5, "daily";…` as a map from name to numbers. */
function structured(header) {
  const entries = (header ?? '').split(',').map(part => {
    const [name, ...params] = part.trim().split(';')
    return [name.replaceAll('"', ''), Object.fromEntries(params.map(p => [p[0], Number(p.slice(2))]))]
  })
  return new Map(entries.filter(([name]) => name !== ''))
}

/** Shows what is left of every policy heard of, and how it comes back while nothing is asked. */
function showLimits(element, headers) {
  const told = heard.get(element) ?? new Map()
  heard.set(element, told)
  const states = structured(headers.get('RateLimit'))
  for (const [name, { q, w }] of structured(headers.get('RateLimit-Policy'))) {
    const { r = q, t = 0 } = states.get(name) ?? {}
    told.set(name, { q, w, r, t, atMs: performance.now() })
  }
  drawLimits(element, told)
}

const heard = new Map()
setInterval(() => {
  for (const [element, told] of heard) drawLimits(element, told)
}, 250)

const drawLimits = (element, told) => element.replaceChildren(...[...told].map(limitMeter))

function limitMeter([name, limit]) {
  const left = leftOf(limit)
  const { q } = limit
  return make(
    'div',
    {},
    make('dt', {}, policyNames[name] ?? name),
    make('dd', {}, `${left.toLocaleString('en')} of ${q.toLocaleString('en')} left`),
    make('progress', { max: q, value: left, 'aria-label': policyNames[name] ?? name }),
  )
}

/** A bucket fills by and by; a day's quota comes back at once. */
function leftOf({ q, w, r, t, atMs }) {
  const passed = (performance.now() - atMs) / 1000
  if (passed >= t) return t === 0 ? r : q
  return w === 86_400 ? r : Math.floor(r + (q - r) * (passed / t))
}

// --- Run into a limit

const salvo = 12

hammer.addEventListener('click', async () => {
  hammer.disabled = true
  try {
    await runIntoLimit()
  } catch {
    verdict.textContent = 'The service does not answer.'
  }
  hammer.disabled = false
})

async function runIntoLimit() {
  calls.replaceChildren()
  verdict.textContent = ''
  let servedAtMs = 0
  const search = async () => {
    const slot = make('li', {}, '…')
    calls.append(slot)
    const target = new URL('locations/search?query=hotel&size=1&version=1', root)
    const { status, headers } = await call(target, site.discoverKey)
    slot.textContent = String(status)
    slot.className = status === 200 ? 'served' : 'refused'
    showLimits(hammered, headers)
    const retryAfter = headers.get('Retry-After')
    if (retryAfter !== null) servedAtMs = Math.max(servedAtMs, performance.now() + Number(retryAfter) * 1000)
    return status
  }
  const statuses = await Promise.all(Array.from({ length: salvo }, search))
  const refused = statuses.filter(status => status === 429).length
  if (refused === 0) {
    verdict.textContent = 'All were served: the limits of this key are wider.'
    return
  }
  for (;;) {
    const leftMs = servedAtMs - performance.now()
    if (leftMs <= 0) break
    verdict.textContent = `${refused} of ${salvo} were refused. Retry-After: ${(leftMs / 1000).toFixed(1)} s to go …`
    await new Promise(resolve => setTimeout(resolve, Math.min(100, leftMs)))
  }
  const status = await search()
  verdict.textContent =
    status === 200
      ? `${refused} of ${salvo} were refused; the one after Retry-After was served.`
      : `${refused} of ${salvo} were refused, and ${status} came after Retry-After.`
}
