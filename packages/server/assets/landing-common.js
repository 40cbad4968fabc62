/** Settings, elements and requests: functions that the scripts of the landing page share. */

/** Settings in the page: `root`, `searchKey`, `discoverKey`. */
export const site = JSON.parse(document.querySelector('#site').textContent)

/** URL of the service, as this page was loaded. */
export const root = new URL(site.root, location.href)

/** Creates an element with attributes and children. Strings become text nodes, never markup. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(key, value)
  }
  element.append(...children.flat().filter(child => child !== undefined && child !== ''))
  return element
}

/** Sends a request to the API without the browser's cache, because every response reports the remaining limits. */
export async function call(target, key, signal) {
  const startMs = performance.now()
  const response = await fetch(target, { headers: { 'X-API-Key': key }, cache: 'no-store', signal })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, ms: performance.now() - startMs }
}

/** Parses JSON. Ids may exceed the safe integers, so they become strings with the digits that were sent. */
export const parseBody = text =>
  JSON.parse(text, (name, value, context) => (name === 'id' ? String(context?.source ?? value) : value))

/** Returns the element with an id. */
export const byId = id => document.getElementById(id)
