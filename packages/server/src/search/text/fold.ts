/**
 * Letters that Unicode compatibility decomposition leaves whole although people type them without the stroke, or as
 * two letters; and spellings of one sound that Arabic and Persian keyboards tell apart.
 */
const spelledOut: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ŋ: 'n',
  ĸ: 'k',
  ƒ: 'f',
  ə: 'e',
  ɓ: 'b',
  ɗ: 'd',
  ς: 'σ',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
  ـ: '',
  ʻ: '',
  ʼ: '',
  ʿ: '',
  ʾ: '',
  ʹ: '',
}

const plainAscii = /^[\x20-\x7e]*$/
/** Accents of Latin, Greek and Cyrillic, Hebrew points and Arabic vowel signs; never the vowels of Indic scripts or Thai. */
const markRanges = [
  '\\u0300-\\u036f\\u0483-\\u0487\\u1ab0-\\u1aff',
  '\\u0591-\\u05c7',
  '\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u06d6-\\u06ed',
]
const marks = new RegExp(`[${markRanges.join('')}]`, 'g')
const toSpell = new RegExp(`[${Object.keys(spelledOut).join('')}]`, 'g')

/**
 * The form in which texts are compared: compatibility-decomposed (Unicode TR15, NFKD), without diacritics, lower case,
 * special letters spelled out. Kana keep their voicing marks and Hangul its letters, so that an unfinished syllable
 * is a prefix.
 */
export function fold(text: string): string {
  if (plainAscii.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replace(marks, '')
    .toLowerCase()
    .replace(toSpell, letter => spelledOut[letter]!)
    .replace(marks, '')
}
