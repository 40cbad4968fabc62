/**
 * The search of the landing page: while a visitor types, the first results are listed below the field and on the map.
 */

import { type MapData, mapOf } from './map.ts'

const typingPauseMs = 300
const maxSuggestions = 5

const form = document.querySelector<HTMLFormElement>('#landing-search')
const field = document.querySelector<HTMLInputElement>('#landing-search #q')
const list = document.querySelector<HTMLElement>('#suggestions')
const mapElement = document.querySelector('[data-map]')
if (form && field && list) suggest(form, field, list)

function suggest(form: HTMLFormElement, field: HTMLInputElement, list: HTMLElement): void {
  const status = list.querySelector('[role=status]')!
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: AbortController | undefined
  const clear = () => {
    running?.abort()
    for (const old of list.querySelectorAll('h2, ol')) old.remove()
    status.textContent = ''
  }
  const load = async () => {
    clear()
    if (field.value.trim() === '') return
    running = new AbortController()
    const target = new URL(form.action)
    target.searchParams.set('q', field.value)
    try {
      const response = await fetch(target, { signal: running.signal })
      if (!response.ok) return
      show(new DOMParser().parseFromString(await response.text(), 'text/html'))
    } catch {
      // Another search has begun, or the service does not answer: the form still works.
    }
  }
  const show = (page: Document) => {
    const found = page.querySelector('.place-list')
    for (const place of [...(found?.children ?? [])].slice(maxSuggestions)) place.remove()
    if (found?.previousElementSibling) list.append(found.previousElementSibling, found)
    status.textContent = page.querySelector('#count')?.textContent ?? ''
    const data = JSON.parse(page.querySelector<HTMLElement>('[data-map]')?.dataset.map ?? '{}') as MapData
    if (mapElement && data.markers?.length) mapOf(mapElement)?.show(data.markers.slice(0, maxSuggestions))
  }
  field.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(load, typingPauseMs)
  })
  form.addEventListener('keydown', event => {
    if (event.key === 'Escape') clear()
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    const stops: HTMLElement[] = [field, ...list.querySelectorAll<HTMLElement>('h3 a')]
    const next = stops[stops.indexOf(event.target as HTMLElement) + (event.key === 'ArrowDown' ? 1 : -1)]
    if (!next || !stops.includes(event.target as HTMLElement)) return
    event.preventDefault()
    next.focus()
  })
}

document.addEventListener('keydown', event => {
  if (event.key !== '/' || event.target instanceof HTMLInputElement || !field) return
  event.preventDefault()
  field.focus()
})
