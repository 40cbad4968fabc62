/** Hashes a text (FNV-1a over UTF-16 code units, twice) to 53 bits. */
export function hashText(text: string): number {
  let [low, high] = [0x811c9dc5, 0x9747b28c]
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit, 0x85ebca6b)
    high ^= high >>> 13
  }
  return (low >>> 0) * 2 ** 21 + (high >>> 11)
}
