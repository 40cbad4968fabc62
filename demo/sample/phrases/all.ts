import type { Phrases } from '../phrases.ts'
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

/** The phrases of every language of the sample's reviews. */
export const phrasesByLanguage = { en, es, fr, de, it, pt, ja, zh, ko, ar } satisfies Record<string, Phrases>
export type SampleLanguage = keyof typeof phrasesByLanguage
