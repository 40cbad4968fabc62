import { describe, expect, it } from 'vitest'
import { chooseTexts, localeFallbackChain, parseLocale } from './locale.ts'

describe('what counts as a locale (R-25)', () => {
  it.each([
    ['en', 'en'],
    ['EN', 'en'],
    ['en-GB', 'en-GB'],
    ['en_gb', 'en-GB'],
    ['es_MX', 'es-MX'],
    ['zh-hant-tw', 'zh-Hant-TW'],
    ['es-419', 'es-419'],
    ['fil', 'fil'],
    ['iw', 'he'],
  ])('%s is %s', (text, locale) => expect(parseLocale(text)).toBe(locale))

  it.each([
    '',
    ' ',
    'e',
    'english',
    'en-',
    'en--GB',
    '-en',
    'en;q=1',
    '12',
    'en GB',
    'en-GB-',
    'ён',
    'en\0',
    'x-private',
    'en-123456789',
  ])('%j is not a locale', text => expect(parseLocale(text)).toBeUndefined())

  it('has parents, the nearest first', () => {
    expect(localeFallbackChain('zh-Hant-TW')).toEqual(['zh-Hant-TW', 'zh-Hant', 'zh'])
  })
})

describe('which texts are shown (R-25)', () => {
  const text = (language: string | undefined, value: string, primary?: true) => ({
    ...(language && { language }),
    value,
    ...(primary && { primary }),
  })
  const local = text('el', 'Αθήνα', true)
  const [en, gb, mx, hant, hans] = [
    text('en', 'Athens'),
    text('en-GB', 'Athens, UK'),
    text('es-MX', 'Atenas'),
    text('zh-Hant', '雅典'),
    text('zh-CN', '雅典市'),
  ]
  const all = [local, en, gb, mx, hant, hans]

  it.each([
    ['none asked: all', [], all],
    ['exact', ['en-GB'], [gb, local]],
    ['a parent', ['en-AU'], [en, local]],
    ['a script', ['zh-Hant-HK'], [hant, local]],
    ['a variant of the bare language', ['es-ES'], [mx, local]],
    ['in the order asked', ['es', 'en'], [mx, en, local]],
    ['nothing fits: the primary one', ['ja'], [local]],
    ['the primary one is not repeated', ['el', 'el-GR'], [local]],
  ])('%s', (_name, locales, expected) => expect(chooseTexts(all, locales)).toEqual(expected))

  it('uses the first text without a primary one or a match', () => {
    expect(chooseTexts([en, gb], ['ja'])).toEqual([en])
    expect(chooseTexts([], ['ja'])).toEqual([])
    expect(chooseTexts([text(undefined, 'Nowhere')], ['ja'])).toEqual([text(undefined, 'Nowhere')])
  })
})
