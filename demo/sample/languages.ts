import type { SampleLanguage } from './phrases/all.ts'
import { pickWeighted, type Random } from './random.ts'

const spoken: Readonly<Record<string, string>> = {
  es: 'ES MX AR CO PE CL VE EC GT CU BO DO HN PY SV NI CR PA UY',
  fr: 'FR BE LU MC HT GN ML TD TG BI NE MR RE',
  de: 'DE AT CH LI',
  it: 'IT VA SM',
  pt: 'PT BR',
  ja: 'JP',
  zh: 'CN TW HK SG MO',
  ko: 'KR',
  ar: 'EG SA AE OM QA BH KW YE IQ SY JO LB DZ MA TN LY SD MR',
}
const localOf = new Map(
  Object.entries(spoken).flatMap(([language, countries]) =>
    countries.split(' ').map(country => [country, language as SampleLanguage]),
  ),
)

const travellers: readonly (readonly [SampleLanguage, number])[] = [
  ['en', 34],
  ['es', 12],
  ['fr', 12],
  ['de', 11],
  ['it', 8],
  ['pt', 6],
  ['ja', 6],
  ['zh', 5],
  ['ko', 4],
  ['ar', 2],
]

/** Draws the language of a visitor: in 30 % of cases that of the country, otherwise by the shares of travellers. */
export function visitorLanguage(random: Random, country: string | undefined): SampleLanguage {
  const local = localOf.get(country ?? '') ?? 'en'
  return random() < 0.3 ? local : pickWeighted(random, travellers)
}
