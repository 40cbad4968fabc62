import { describe, expect, test } from 'vitest'
import { renderIcon } from './icons.ts'

const ratings = Array.from({ length: 11 }, (_, i) => (i / 2).toFixed(1))
const types = [
  'value',
  'service',
  'atmosphere',
  'location',
  'accessibility',
  'cleanliness',
  'food',
  'rooms',
  'sleep_quality',
  'accuracy',
  'checkin',
  'communication',
]

/** Returns true if all tags are closed in order and the text outside of tags is escaped. */
function isBalanced(svg: string): boolean {
  const open: string[] = []
  for (const [, close, name, self] of svg.matchAll(/<(\/?)([a-zA-Z]+)(?:\s[\w:-]+="[^"<]*")*(\/?)>/g)) {
    if (close) {
      if (open.pop() !== name) return false
    } else if (!self) {
      open.push(name!)
    }
  }
  return open.length === 0 && svg.replace(/<[^<>]*>/g, '').match(/[<>&]/) === null
}

describe('renderIcon', () => {
  test.each([
    ...ratings.map(r => `ratings/${r}.svg`),
    ...types.map(t => `subratings/${t}.svg`),
    'subratings/wifi_2.svg',
  ])('%s is one small, well-formed picture', path => {
    const svg = renderIcon(path) ?? ''
    expect(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg" ')).toBe(true)
    expect(svg.endsWith('</svg>\n')).toBe(true)
    expect(isBalanced(svg)).toBe(true)
    expect(Buffer.byteLength(svg)).toBeLessThan(1500)
  })

  test.each([
    ['ratings/0.0.svg', '0 of 5'],
    ['ratings/4.0.svg', '4 of 5'],
    ['ratings/4.5.svg', '4.5 of 5'],
    ['subratings/value.svg', 'Value'],
    ['subratings/sleep_quality.svg', 'Sleep quality'],
    ['subratings/wifi_2.svg', 'Wifi 2'],
    ['subratings/_.svg', 'Rating'],
  ])('%s has the title %s', (path, title) => {
    expect(renderIcon(path)).toContain(`<title>${title}</title>`)
  })

  test('lights as many lanterns as the rating', () => {
    const lit = ratings.map(rating => Number(/M0 0h([\d.]+)v20/.exec(renderIcon(`ratings/${rating}.svg`)!)?.[1]))
    expect(lit).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100])
  })

  test('draws a different glyph for each known type and the same for all others', () => {
    const glyph = (type: string) => /<path d="([^"]+)"/.exec(renderIcon(`subratings/${type}.svg`)!)?.[1]
    expect(new Set(types.map(glyph)).size).toBe(types.length)
    expect(types.map(glyph)).not.toContain(glyph('wifi'))
    for (const type of ['constructor', 'toString', '__proto__', 'a'.repeat(64)]) {
      if (/^[a-z0-9_]+$/.test(type)) expect(glyph(type)).toBe(glyph('wifi'))
      else expect(renderIcon(`subratings/${type}.svg`)).toBeUndefined()
    }
  })

  test.each([
    '',
    'ratings',
    'ratings/',
    'ratings/4.5',
    'ratings/4.5.png',
    'ratings/4.svg',
    'ratings/4.3.svg',
    'ratings/5.5.svg',
    'ratings/-1.0.svg',
    'ratings/04.5.svg',
    'ratings/4.50.svg',
    '/ratings/4.5.svg',
    'ratings/4.5.svg\n',
    'other/value.svg',
    'subratings/.svg',
    'subratings/Value.svg',
    'subratings/va-lue.svg',
    'subratings/a.b.svg',
    'subratings/../ratings/4.5.svg',
    'subratings/<b>.svg',
    `subratings/${'a'.repeat(65)}.svg`,
  ])('has no picture for %j', path => {
    expect(renderIcon(path)).toBeUndefined()
  })
})
