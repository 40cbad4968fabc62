import { maskSecrets } from '../../kit/mask-secrets.ts'

/**
 * Removes secrets and personal values from a path, for logs and problem documents: the values of `key` and `api_key`,
 * anything else that looks like an API key, and the position of a visitor (`near`), however their names are encoded.
 */
export function redact(url: string): string {
  // Most paths contain neither a secret nor the name of one, even when they are decoded.
  if (!mayHoldSecret.test(url.includes('%') ? decodeAscii(url) : url)) return url
  const unnamed = url.replace(/([?&])([^?&=#]*)=[^&#]*/g, (pair, mark, name) =>
    isPrivateName(name) ? `${mark}${name}=***` : pair,
  )
  // `withoutSecrets` does not find a secret with encoded letters; omit the path if it contains one.
  const shown = maskSecrets(unnamed)
  return key.test(decodeAscii(shown)) ? '/***' : shown
}

const mayHoldSecret = /key|near=|peri_/i
const key = /peri_(live|test)_[0-9A-Za-z]/

const isPrivateName = (name: string): boolean => privateNames.test(decodeAscii(name))

/** Decodes percent-encoded ASCII; never throws on invalid encodings. */
const decodeAscii = (text: string): string =>
  text.replace(/%([0-7][0-9a-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

const privateNames = /^(?:(?:x-?)?(?:api[_-]?)?key|near)$/i
