import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Hand } from './person.ts'

/** The element with the focus, in relation to the one that a person wants to reach. */
interface Stop {
  readonly at: 'target' | 'group of the target' | 'skip link' | 'elsewhere' | 'nowhere'
  readonly isTargetInMain: boolean
  /** A fault of this stop: its focus is invisible, outside of the window, or comes after a later element. */
  readonly problem: string | undefined
}

/** Functions that the script focus.js adds to pages. */
interface InPage {
  lookAtFocus(target: unknown): Stop
}

/** More than any page has stops. */
const maxStops = 150

/**
 * Uses a page by keys alone. Every stop on the way must show its focus inside the window and follow the order of the
 * page. The skip link leads to the content.
 */
export async function createKeyboard(page: Page): Promise<Hand> {
  await page.addInitScript({ path: fileURLToPath(new URL('./focus.js', import.meta.url)) })
  const press = (key: string) => page.keyboard.press(key)

  /** Moves the focus with the Tab key until it is on an element, or on a radio button of its group. */
  const reach = async (target: Locator): Promise<Stop> => {
    for (let i = 0; i < maxStops; i++) {
      await press('Tab')
      // A live page may replace the element.
      const stop = await target.evaluate(node => (globalThis as unknown as InPage).lookAtFocus(node))
      expect(stop.problem, page.url()).toBeUndefined()
      if (stop.at === 'target' || stop.at === 'group of the target') return stop
      if (stop.at === 'skip link' && stop.isTargetInMain) {
        await press('Enter')
        expect(await page.evaluate('document.activeElement.id'), page.url()).toBe('main')
      }
    }
    throw new Error(`The Tab key does not lead to ${target} on ${page.url()}.`)
  }

  return {
    fill: async (field, value) => {
      await reach(field)
      await press('Control+A')
      await page.keyboard.type(value)
    },
    choose: async (list, label) => {
      await reach(list)
      await page.keyboard.type(label)
      expect((await list.locator('option:checked').innerText()).startsWith(label)).toBe(true)
    },
    check: async radio => {
      await reach(radio)
      if (!(await page.evaluate('document.activeElement.checked'))) await press('Space')
      for (let i = 0; i < maxStops && !(await radio.isChecked()); i++) await press('ArrowDown')
      expect(await radio.isChecked()).toBe(true)
    },
    activate: async target => {
      await reach(target)
      const isButton = (await target.evaluate(node => node.matches('button, summary, input'))) as boolean
      await press(isButton ? 'Space' : 'Enter')
    },
  }
}
