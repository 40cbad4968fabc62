const names: Readonly<Record<string, string>> = {
  checkin: 'Check-in',
  sleep_quality: 'Sleep quality',
}

/** Subrating types with a special display name; other names are derived from the type. */
export const knownSubratingTypes: readonly string[] = Object.keys(names)

/** Pattern of subrating types, which are also names of icons. */
export const subratingTypePattern = /^[a-z][a-z0-9_]{0,63}$/

/** Converts a name to a type: `Sleep Quality` gives `sleep_quality`; undefined if the result is not a valid type. */
export function parseSubratingType(text: string): string | undefined {
  const type = text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
  return subratingTypePattern.test(type) ? type : undefined
}

/** Returns the display name of a type: `value` gives `Value`. */
export function subratingName(type: string): string {
  if (Object.hasOwn(names, type)) return names[type]!
  const words = type.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
