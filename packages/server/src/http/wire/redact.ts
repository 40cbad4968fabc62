import { withoutSecrets } from '../../kit/log.ts'

/**
 * The path with secrets taken out, for logs and problem bodies: the values of `key` and `api_key`, however their names
 * are encoded, and whatever looks like a key of ours elsewhere.
 */
export function redacted(url: string): string {
  // Most paths hold neither a secret nor anything that could hide the name of one.
  if (!mayHoldSecret.test(url)) return url
  const unnamed = url.replace(/([?&])([^?&=#]*)=[^&#]*/g, (pair, mark, name) =>
    isKeyName(name) ? `${mark}${name}=***` : pair,
  )
  // One whose letters are encoded is not found in the text: rather no path than a secret.
  const shown = withoutSecrets(unnamed)
  return key.test(decoded(shown)) ? '/***' : shown
}

const mayHoldSecret = /key|%|peri_/i
const key = /peri_(live|test)_[0-9A-Za-z]/

const isKeyName = (name: string): boolean => keyNames.test(decoded(name))

/** Percent-encoded ASCII, decoded where it can be; nothing throws at what is no encoding. */
const decoded = (text: string): string =>
  text.replace(/%([0-7][0-9a-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

const keyNames = /^(?:x-?)?(?:api[_-]?)?key$/i
