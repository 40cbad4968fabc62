/** A text in a language, as version 1 presents it. */
export interface PresentedText {
  readonly language?: string
  readonly value: string
  readonly primary?: boolean
}

/** Returns a text with a language, which all texts have in Terra: `und` (BCP 47) if it is unknown. */
export const withLanguage = <T extends PresentedText>(text: T) => ({ ...text, language: text.language ?? 'und' })

/**
 * Returns names in the form of Terra, where the first name of each language is primary. Clients show the first primary
 * name: that is the one in the language that they prefer, or else the name that the record calls primary.
 */
export function toTerraNames(names: readonly PresentedText[], hasLocales: boolean) {
  const inOrder = hasLocales ? names : names.toSorted((a, b) => Number(b.primary) - Number(a.primary))
  const seen = new Set<string>()
  return inOrder.map(withLanguage).map(({ language, value }) => {
    const primary = !seen.has(language)
    seen.add(language)
    return { language, value, primary }
  })
}
