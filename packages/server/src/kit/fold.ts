/**
 * Replacements for letters that NFKD does not decompose: letters with strokes, ligatures, and Arabic and Persian
 * variants of one letter, which keyboards encode differently.
 */
const replacements: Readonly<Record<string, string>> = {
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
/**
 * Combining marks to remove: Latin, Greek and Cyrillic accents, Hebrew points and Arabic vowel signs. Vowel signs of
 * Indic scripts and Thai distinguish words and are kept.
 */
const markRanges = [
  '\\u0300-\\u036f\\u0483-\\u0487\\u1ab0-\\u1aff',
  '\\u0591-\\u05c7',
  '\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u06d6-\\u06ed',
]
const marks = new RegExp(`[${markRanges.join('')}]`, 'g')
const replaceable = new RegExp(`[${Object.keys(replacements).join('')}]`, 'g')

/**
 * Folds text for comparison: compatibility decomposition (NFKD, Unicode TR15), diacritics removed, lower case, special
 * letters replaced. Kana keep their voicing marks. Hangul stays decomposed into letters, so that an incomplete syllable
 * is a prefix of the complete one.
 */
export function fold(text: string): string {
  if (plainAscii.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replace(marks, '')
    .toLowerCase()
    .replace(replaceable, letter => replacements[letter]!)
    .replace(marks, '')
}
