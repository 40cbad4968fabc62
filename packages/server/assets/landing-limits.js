/** The remaining limits on the landing page. */

import { make } from './landing-common.js'

const policyNames = {
  rate: 'calls',
  daily: 'calls per day',
  search: 'searches',
  'search-daily': 'searches per day',
  penalty: 'penalty',
}

/** Parses a header such as `"search";q=5;w=5, "daily";q=1000;w=86400` into a map from policy names to parameters. */
function parsePolicies(header) {
  const entries = (header ?? '').split(',').map(part => {
    const [name, ...params] = part.trim().split(';')
    return [name.replaceAll('"', ''), Object.fromEntries(params.map(p => [p[0], Number(p.slice(2))]))]
  })
  return new Map(entries.filter(([name]) => name !== ''))
}

/** Shows the remaining units of every policy in a response; the display is updated while they recover. */
export function showLimits(element, headers) {
  const policies = policiesByElement.get(element) ?? new Map()
  policiesByElement.set(element, policies)
  const states = parsePolicies(headers.get('RateLimit'))
  for (const [name, { q, w }] of parsePolicies(headers.get('RateLimit-Policy'))) {
    const { r = q, t = 0 } = states.get(name) ?? {}
    policies.set(name, { q, w, r, t, atMs: performance.now() })
  }
  drawLimits(element, policies)
}

const policiesByElement = new Map()
setInterval(() => {
  for (const [element, policies] of policiesByElement) drawLimits(element, policies)
}, 250)

const drawLimits = (element, policies) => element.replaceChildren(...[...policies].map(limitMeter))

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

/** Estimates the remaining units now. A bucket refills continuously; a daily quota is restored at once. */
function leftOf({ q, w, r, t, atMs }) {
  const passed = (performance.now() - atMs) / 1000
  if (passed >= t) return t === 0 ? r : q
  return w === 86_400 ? r : Math.floor(r + (q - r) * (passed / t))
}
