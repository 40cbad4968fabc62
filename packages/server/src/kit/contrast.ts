/** Contrast of colours as WCAG 2.2 defines it. Colours are written `#rrggbb`. */

/** Returns the contrast of two colours, 1 to 21. */
export function contrastOf(a: string, b: string): number {
  const [lighter, darker] = [luminanceOf(a), luminanceOf(b)].sort((x, y) => y - x)
  return (lighter! + 0.05) / (darker! + 0.05)
}

/** Returns a colour mixed with white until its contrast with `ground` is at least `least`. */
export function lightenFor(color: string, ground: string, least: number): string {
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(color, share)
    if (contrastOf(mixed, ground) >= least) return mixed
  }
  return '#ffffff'
}

const channels = (color: string): number[] => [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16))

const mix = (color: string, white: number): string =>
  `#${channels(color)
    .map(value =>
      Math.round(value + (255 - value) * white)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

function luminanceOf(color: string): number {
  const [red, green, blue] = channels(color).map(value => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}
