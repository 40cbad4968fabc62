import { type Locale, localePattern, parseRequestedLocale } from '../../domain/locale.ts'
import { Type } from '../../kit/json-schema.ts'
import { createSingle, InvalidParameter, type Param, type ParamDocs, splitLists } from './param.ts'

/**
 * Maximum length of a locale (RFC 5646 §4.4.1); each subtag of a longer one would cost time in every choice of a text.
 */
const maxLocaleLength = 35

/** Maximum number of different locales. */
const maxLocales = 20

/** Creates a parameter for locales in order of preference, repeated or as a comma-separated list. */
export function locales(options: ParamDocs): Param<readonly Locale[]> {
  return {
    schema: Type.Array(Type.String({ pattern: `^${localePattern}$`, maxLength: maxLocaleLength }), {
      minItems: 1,
      maxItems: maxLocales,
    }),
    description: options.description,
    aliases: options.aliases ?? [],
    required: false,
    read: values => {
      const parsed = new Set<Locale>()
      for (const part of splitLists(values)) {
        const locale = parseLocaleParam(part)
        if (locale instanceof InvalidParameter) return locale
        parsed.add(locale)
      }
      return parsed.size <= maxLocales
        ? [...parsed]
        : new InvalidParameter(`contains more than ${maxLocales} locales; at most ${maxLocales} are allowed`)
    },
  }
}

function parseLocaleParam(text: string): Locale | InvalidParameter {
  const locale = text.trim().length > maxLocaleLength ? undefined : parseRequestedLocale(text.trim())
  return locale ?? new InvalidParameter('must be a language or locale such as en, en-GB or es_MX', text)
}

/** Creates a parameter for a locale or one of the given keywords. */
export function localeOr<const T extends readonly string[]>(
  keywords: T,
  options: ParamDocs,
): Param<Locale | T[number] | undefined> {
  return createSingle(
    options,
    Type.String({
      pattern: `^(?:${[...keywords.map(anyCase), localePattern].join('|')})$`,
      maxLength: maxLocaleLength,
    }),
    text => keywords.find(keyword => keyword === text.trim().toLowerCase()) ?? parseLocaleParam(text),
  )
}

/** Returns a pattern that matches a word in any case. */
const anyCase = (word: string): string =>
  [...word].map(letter => `[${letter.toUpperCase()}${letter.toLowerCase()}]`).join('')
