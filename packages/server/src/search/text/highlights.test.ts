import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fold } from '../../kit/fold.ts'
import { foldWithMap } from './fold-map.ts'
import { findHighlights, typedWords } from './highlights.ts'

/** Marks the highlights of a name for a text with brackets. */
function marked(name: string, text: string): string {
  let result = ''
  let at = 0
  for (const { start, length } of findHighlights(name, typedWords(text)).highlights) {
    result += `${name.slice(at, start)}[${name.slice(start, start + length)}]`
    at = start + length
  }
  return result + name.slice(at)
}

it.each([
  ['Halifax', 'hali', '[Hali]fax'],
  ['Hotel Ritz Madrid', 'ritz mad', 'Hotel [Ritz] [Mad]rid'],
  ['Hotel Ritz Madrid', 'mad ritz', 'Hotel [Ritz] Madrid'],
  ['Straße des 17. Juni', 'strasse', '[Straße] des 17. Juni'],
  ['Straße', 'stras', '[Straß]e'],
  ['Ålesund', 'ale', '[Åle]sund'],
  ['Ålesund', 'ale', '[Åle]sund'],
  ['São Paulo', 'sao p', '[São] [P]aulo'],
  ["McDonald's", 'mcdonalds', "[McDonald's]"],
  ['New York', 'newyo', '[New Yo]rk'],
  ['Amsterdam', 'amsterdma ', '[Amsterdam]'],
  ['Amsterdam', 'amstredam', '[Amsterdam]'],
  ['東京国立博物館', '博物', '東京国立[博物]館'],
  ['서울', '서', '[서]울'],
  ['👨‍👩‍👧 Café', 'cafe', '👨‍👩‍👧 [Café]'],
  ['Paris', 'lyon', 'Paris'],
])('marks in %s what %s has typed', (name, text, expected) => {
  expect(marked(name, text)).toBe(expected)
})

it('folds a text by graphemes as a whole, and maps each code unit to one grapheme', () => {
  const letters = fc.constantFrom(...'aßÅéœŁŒΣςΐйД中カが한글กำ ﬁ½-’', 'e\u0301', 'A\u030a', '👩‍🚀')
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 12 }), some => {
      const raw = some.join('')
      const { text, starts, ends } = foldWithMap(raw)
      expect(text).toBe(fold(raw))
      const bounds = new Set([...new Intl.Segmenter('und').segment(raw)].map(({ index }) => index).concat(raw.length))
      for (const [i, start] of starts.entries()) expect([bounds.has(start), bounds.has(ends[i]!)]).toEqual([true, true])
    }),
  )
})
