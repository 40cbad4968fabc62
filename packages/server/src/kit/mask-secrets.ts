/** Matches API keys. */
const secrets = /peri_(live|test)_[0-9A-Za-z]+/g

/** Masks API keys in a text, such as an error message, a path or a header. */
export const maskSecrets = (text: string): string => text.replace(secrets, 'peri_$1_***')
