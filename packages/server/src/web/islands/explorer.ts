/** Shows the chosen operation of the explorer without a press of the button. */

for (const form of document.querySelectorAll<HTMLFormElement>('.explorer > form')) {
  form.addEventListener('change', () => form.requestSubmit())
  for (const button of form.querySelectorAll('button')) button.closest('p')!.classList.add('unseen')
}
