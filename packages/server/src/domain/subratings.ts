const names: Readonly<Record<string, string>> = {
  checkin: 'Check-in',
  sleep_quality: 'Sleep quality',
}

/** Types that have a name of their own; any other is named after its key. */
export const knownSubratingTypes: readonly string[] = Object.keys(names)

/** What a subrating type may look like; also the name of its icon. */
export const subratingTypePattern = /^[a-z][a-z0-9_]{0,63}$/

/** `Sleep Quality` and `sleep-quality` are one type, `sleep_quality`; undefined where no type comes out. */
export function subratingType(text: string): string | undefined {
  const type = text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
  return subratingTypePattern.test(type) ? type : undefined
}

/** The human-readable name of a type: `value` -> `Value`. */
export function subratingName(type: string): string {
  if (Object.hasOwn(names, type)) return names[type]!
  const words = type.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
