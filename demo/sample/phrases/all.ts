import type { PhraseBook } from '../phrase-book.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { ko } from './ko.ts'
import { pt } from './pt.ts'
import { zh } from './zh.ts'

/** Every language that a sample review may be written in. */
export const phraseBooks = { en, es, fr, de, it, pt, ja, zh, ko, ar } satisfies Record<string, PhraseBook>
export type SampleLanguage = keyof typeof phraseBooks
