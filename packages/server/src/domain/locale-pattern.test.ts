import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { InvalidParameter } from '../versions/primitives/param.ts'
import { params } from '../versions/primitives/requests/params.ts'
import { localePattern, parseLocale, parseRequestedLocale } from './locale.ts'

const pattern = new RegExp(`^${localePattern}$`)
const subtag = fc.stringMatching(/^[A-Za-z0-9]{1,9}$/)
/** Texts that look like tags, most of them invalid. */
const nearlyTag = fc
  .tuple(fc.stringMatching(/^[A-Za-z]{1,5}$/), fc.array(fc.tuple(fc.constantFrom('-', '_'), subtag), { maxLength: 5 }))
  .map(([language, rest]) => language + rest.map(parts => parts.join('')).join(''))
const anything = fc.oneof(nearlyTag, fc.stringMatching(pattern), fc.string())
const runs = { numRuns: 2000 }

/** Returns a function that tests a value against the schema of a parameter, or of the items of a list. */
const matcherOf = (schema: object) => {
  const { items = schema } = schema as { items?: object }
  const { pattern: text, maxLength } = items as { pattern: string; maxLength: number }
  return (value: string) => new RegExp(text, 'u').test(value) && value.length <= maxLength
}

describe('the pattern of locales accepts exactly what requests may contain (R-25)', () => {
  test('any text', () =>
    fc.assert(
      fc.property(anything, text => (parseRequestedLocale(text) !== undefined) === pattern.test(text)),
      runs,
    ))

  test('every tag that imports accept, with the same meaning unless it has extensions', () =>
    fc.assert(
      fc.property(nearlyTag, text => {
        const tag = parseLocale(text)
        if (tag === undefined) return
        expect(parseRequestedLocale(text)).toBe(tag.split(/-(?=[0-9a-z]-)/)[0])
      }),
      runs,
    ))

  test.each([
    ['en', 'en'],
    ['ES_mx', 'es-MX'],
    ['zh-hant-tw', 'zh-Hant-TW'],
    ['es-419', 'es-419'],
    ['sl-rozaj-biske', 'sl-biske-rozaj'],
    ['de-1996-1996', 'de-1996'],
    ['en-GB-u-ca-gregory', 'en-GB'],
    ['en-x-whatever', 'en'],
    ['bh', 'bho'],
    ['BH-0-0a', 'bho'],
  ])('%s is %s', (text, tag) => expect(parseRequestedLocale(text)).toBe(tag))

  test.each([
    '',
    'e',
    'english',
    'en-',
    '-en',
    'en--GB',
    'en-u',
    'en-GB-US',
    'zh-min-nan',
    'x-en',
    'en GB',
    'é',
    'en.UTF-8',
  ])('%j is invalid', text => expect(parseRequestedLocale(text)).toBeUndefined())

  const cases = [
    ['locale', params.getLocation.locale],
    ['language', params.listReviews.language],
  ] as const
  test.each(cases)('the documented parameter %s', (_name, param) => {
    const texts = fc.oneof(anything, fc.constantFrom('primary', 'PRIMARY', 'Primary', 'prim'))
    const isDocumented = matcherOf(param.schema)
    const isRead = (text: string) => !(param.read([text]) instanceof InvalidParameter)
    fc.assert(
      fc.property(
        texts.filter(text => text === text.trim() && !text.includes(',')),
        text => isRead(text) === isDocumented(text),
      ),
      runs,
    )
  })
})
