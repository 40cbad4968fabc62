/** The search form of the page of places: its URL, and its fields after a step through the history. */

/** Gives the filters the values of a page, for steps through the history. */
export function syncFilters(form: HTMLFormElement, page: Document): void {
  for (const select of form.querySelectorAll('select'))
    select.value = page.querySelector<HTMLSelectElement>(`select[name="${select.name}"]`)?.value ?? ''
  for (const box of form.querySelectorAll<HTMLInputElement>('input[type=checkbox]'))
    box.checked = page.querySelector<HTMLInputElement>(`input[name="${box.name}"]`)?.checked === true
}

/** Keeps a hidden field of the form as the page has it, for a submit without the script and for the next search. */
export function setHidden(form: HTMLFormElement, name: string, value: string | undefined): void {
  const old = form.querySelector<HTMLInputElement>(`input[type=hidden][name="${name}"]`)
  if (value === undefined) {
    old?.remove()
    return
  }
  const input = old ?? document.createElement('input')
  Object.assign(input, { type: 'hidden', name, value })
  if (!old) form.append(input)
}

/** Returns the URL of the form. */
export function formUrl(form: HTMLFormElement): URL {
  const target = new URL(form.action)
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && value !== '') target.searchParams.append(name, value)
  return target
}
