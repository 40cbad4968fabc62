import type { BrowserContext, Locator, Page } from 'playwright-core'

/** The way in which a person uses the elements of a page. */
export interface Hand {
  fill(field: Locator, value: string): Promise<void>
  /** Chooses the option of a list that begins with a text. */
  choose(list: Locator, label: string): Promise<void>
  /** Chooses one of several radio buttons. */
  check(radio: Locator): Promise<void>
  /** Uses a link or a button. */
  activate(target: Locator): Promise<void>
}

/** Uses pages by the mouse, and fills fields at once. */
export const mouse: Hand = {
  fill: (field, value) => field.fill(value),
  choose: async (list, label) => {
    const option = list.locator('option', { hasText: new RegExp(`^${label}`) })
    await list.selectOption(await option.first().getAttribute('value'))
  },
  check: radio => radio.check(),
  activate: target => target.click(),
}

/** A person with a browser of their own. */
export class Person {
  readonly page: Page
  readonly context: BrowserContext
  readonly #hand: Hand

  constructor(context: BrowserContext, page: Page, hand: Hand) {
    this.context = context
    this.page = page
    this.#hand = hand
  }

  go(path: string): Promise<unknown> {
    return this.page.goto(path)
  }

  #field(label: string): Locator {
    return this.page.getByLabel(new RegExp(`^${label}`)).first()
  }

  fill(label: string, value: string): Promise<void> {
    return this.#hand.fill(this.#field(label), value)
  }

  choose(label: string, option: string): Promise<void> {
    return this.#hand.choose(this.page.getByLabel(label, { exact: true }), option)
  }

  check(label: string): Promise<void> {
    return this.#hand.check(this.page.getByRole('radio', { name: label }))
  }

  /** Uses a button of the page, and waits for the next page. */
  press(button: string | RegExp): Promise<void> {
    return this.leaveBy(this.page.getByRole('main').getByRole('button', { name: button, exact: true }).first())
  }

  /** Sends the only form of the page. */
  submit(): Promise<void> {
    return this.leaveBy(this.page.locator('main form button').first())
  }

  /** Follows a link of the content. */
  follow(link: string | RegExp): Promise<void> {
    return this.leaveBy(this.page.getByRole('main').getByRole('link', { name: link, exact: true }).first())
  }

  /** Follows a link of the navigation. */
  open(section: string): Promise<void> {
    return this.leaveBy(this.page.getByRole('navigation').getByRole('link', { name: section, exact: true }).first())
  }

  /** Uses an element that leads to no other page. */
  use(target: Locator): Promise<void> {
    return this.#hand.activate(target)
  }

  /** Uses a link or button that leads to another page, and waits until it is loaded. */
  async leaveBy(target: Locator): Promise<void> {
    await Promise.all([this.page.waitForEvent('load'), this.#hand.activate(target)])
  }

  text(): Promise<string> {
    return this.page.getByRole('main').innerText()
  }

  /** Returns the text of the first block of code: a secret or a link. */
  code(): Promise<string> {
    return this.page.locator('main pre code').first().innerText()
  }
}
