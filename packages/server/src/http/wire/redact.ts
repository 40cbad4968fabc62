import { maskSecrets } from '../../kit/mask-secrets.ts'

/**
 * Removes secrets from a path, for logs and problem documents: the values of `key` and `api_key`, however their names
 * are encoded, and anything else that looks like an API key.
 */
export function redact(url: string): string {
  // Most paths contain neither a secret nor anything that could hide the name of one.
  if (!mayHoldSecret.test(url)) return url
  const unnamed = url.replace(/([?&])([^?&=#]*)=[^&#]*/g, (pair, mark, name) =>
    isKeyName(name) ? `${mark}${name}=***` : pair,
  )
  // `withoutSecrets` does not find a secret with encoded letters; omit the path if it contains one.
  const shown = maskSecrets(unnamed)
  return key.test(decodeAscii(shown)) ? '/***' : shown
}

const mayHoldSecret = /key|%|peri_/i
const key = /peri_(live|test)_[0-9A-Za-z]/

const isKeyName = (name: string): boolean => keyNames.test(decodeAscii(name))

/** Decodes percent-encoded ASCII; never throws on invalid encodings. */
const decodeAscii = (text: string): string =>
  text.replace(/%([0-7][0-9a-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

const keyNames = /^(?:x-?)?(?:api[_-]?)?key$/i
