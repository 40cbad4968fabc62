import { expect, test } from 'vitest'
import { fold } from './fold.ts'
import { maxTokenLength, maxTokens, tokens } from './tokens.ts'

test.each([
  ['Café Müller', 'cafe muller'],
  ['Łódź', 'lodz'],
  ['Straße', 'strasse'],
  ['STRASSE', 'strasse'],
  ['København', 'kobenhavn'],
  ['Æbeltoft', 'aebeltoft'],
  ['Đà Nẵng', 'da nang'],
  ['İstanbul', 'istanbul'],
  ['Diyarbakır', 'diyarbakir'],
  ['Þingvellir', 'thingvellir'],
  ['Ægir œuvre', 'aegir oeuvre'],
  ['ﬁn', 'fin'],
  ['Ｔｏｋｙｏ', 'tokyo'],
  ['Αθήνα', 'αθηνα'],
  ['Πειραιάς', 'πειραιασ'],
  ['Йошкар-Ола', 'иошкар-ола'],
  ['أحمد', 'احمد'],
  ['مَسْجِد', 'مسجد'],
  ['', ''],
])('%s folds to %s', (text, folded) => expect(fold(text)).toBe(folded))

test('folding twice changes nothing', () => {
  for (const text of ['İSTANBUL ẞ', 'Ǆ ŉ', 'がぎぐ 서울', '\ud800 x', 'ΣΊΣΥΦΟΣ'])
    expect(fold(fold(text))).toBe(fold(text))
})

test.each([
  ['Hotel Ritz, Paris', ['hotel', 'ritz', 'paris']],
  ["McDonald's", ['mcdonald', 's']],
  ['Bed & Breakfast 24/7', ['bed', 'breakfast', '24', '7']],
  ['東京駅', ['東京', '京駅']],
  ['京', ['京']],
  ['東京 Tower', ['東京', 'tower']],
  ['上海Hilton酒店', ['上海', 'hilton', '酒店']],
  ['がぎ', ['がぎ']],
  ['กรุงเทพ', ['กร', 'รุ', 'ุง', 'งเ', 'เท', 'ทพ']],
  ['...!?', []],
  ['😀 🏨', []],
  ['\u0000\u0007', []],
  ['\ud800', []],
])('%s has the tokens %j', (text, expected) => expect(tokens(text)).toEqual(expected))

test('tokens are bounded in length and number', () => {
  expect(tokens('a'.repeat(500))).toEqual(['a'.repeat(maxTokenLength)])
  expect(tokens('ab '.repeat(200))).toHaveLength(maxTokens)
  expect(tokens('東'.repeat(500))).toHaveLength(maxTokens)
})
