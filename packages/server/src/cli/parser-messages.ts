/** Messages of Commander, and the sentences that replace them. */
const sentences: readonly (readonly [message: RegExp, sentence: string])[] = [
  [/^option '(.+?)' argument '(.*)' is invalid\. ?(.*)$/s, "The value '$2' of $1 is invalid. $3"],
  [
    /^command-argument value '(.*)' is invalid for argument '(.+)'\. ?(.*)$/s,
    "The argument '$1' (<$2>) is invalid. $3",
  ],
  [/^required option '(.+)' not specified$/, 'The option $1 is required.'],
  [/^missing required argument '(.+)'$/, 'The argument <$1> is required.'],
  [/^option '(.+)' argument missing$/, 'The option $1 requires a value.'],
  [/^option '(.+)' cannot be used with option '(.+)'$/, 'The options $1 and $2 cannot be used together.'],
  [/^unknown (command|option) '(.+?)'(.*)$/s, "There is no $1 '$2'.$3"],
]

/** Returns a message of Commander about wrong usage as sentences. */
export function toSentences(message: string): string {
  const text = message.trim().replace(/^error: /, '')
  const suggestion = text.replace(/\n\(Did you mean (.+)\?\)$/s, ' Did you mean $1?')
  const known = sentences.find(([pattern]) => pattern.test(suggestion))
  const sentence = known ? suggestion.replace(...known).trim() : suggestion
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
