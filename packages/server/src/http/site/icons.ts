/** Generates the icons of ratings (five harbour lanterns) and subratings (a glyph on a tile) as SVG. */

/** Returns the SVG of a path below `/icons/`, such as `ratings/4.5.svg`; undefined for an unknown path. */
export function renderIcon(path: string): string | undefined {
  const [, folder, name] = /^(ratings|subratings)\/([a-z0-9_.]{1,64})\.svg$/.exec(path) ?? []
  if (name === undefined) return undefined
  return folder === 'ratings' ? renderRatingIcon(name) : renderSubratingIcon(name)
}

/** Both colours have a contrast of at least 3 to 1 on white and on black. */
const amber = '#b8570b'
const teal = '#0b7285'

/** Path of a lantern in a box of 16 by 20: ring, roof, glass, base. A lit lantern has the flame cut out. */
const lantern =
  'M8 .7a1.9 1.9 0 1 1 0 3.8 1.9 1.9 0 0 1 0-3.8ZM8 1.7a.9.9 0 1 0 0 1.8.9.9 0 0 0 0-1.8Z' +
  'M6.3 4.6h3.4l3.7 3H2.6ZM3.7 8.4h8.6v7.4H3.7ZM2.6 16.7h10.8v2.3H2.6Z'
const flame = 'M8 9.3c.8 1.6 2.2 2.3 2.2 3.9a2.2 2.2 0 0 1-4.4 0c0-1.6 1.4-2.3 2.2-3.9Z'
const lanternPitch = 20

/**
 * Returns the icon of a rating from `0.0` to `5.0` in steps of one half: filled lanterns up to the rating, outlines
 * after it.
 */
function renderRatingIcon(name: string): string | undefined {
  if (!/^([0-4]\.[05]|5\.0)$/.test(name)) return undefined
  const rating = Number(name)
  const five = (shape: string) =>
    [0, 1, 2, 3, 4].map(i => `<use href="#${shape}" x="${i * lanternPitch + 2}"/>`).join('')
  return svg(
    100,
    20,
    `${rating} of 5`,
    `<defs><path id="o" d="${lantern}"/><path id="l" fill-rule="evenodd" d="${lantern}${flame}"/>` +
      `<clipPath id="c"><path d="M0 0h${rating * lanternPitch}v20H0Z"/></clipPath></defs>` +
      `<g fill="none" stroke="${amber}" stroke-width=".9">${five('o')}</g>` +
      `<g fill="${amber}" clip-path="url(#c)">${five('l')}</g>`,
  )
}

/** Paths of the glyphs in a box of 24 by 24, drawn in white on a tile. */
const glyphs: Readonly<Record<string, string>> = {
  value: 'M5 11.5 11.5 5H18a1 1 0 0 1 1 1v6.5L12.5 19a1 1 0 0 1-1.4 0L5 12.9a1 1 0 0 1 0-1.4ZM15.5 8.5h.01',
  service: 'M4.5 17h15M6 17a6 6 0 0 1 12 0M12 11V8.5M10.5 8h3',
  atmosphere:
    'M12 5v1.5M6.5 7.5l1 1M17.5 7.5l-1 1M8.5 12.5a3.5 3.5 0 0 1 7 0M4.5 15.5c2.5-2 5 2 7.5 0s5 2 7.5 0M7 19h10',
  location: 'M12 20s6-5.6 6-10a6 6 0 0 0-12 0c0 4.4 6 10 6 10ZM12 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  accessibility: 'M10.5 5h.01M10.5 8.5v5h4.5l2.5 5M10.5 10.5h4M8.6 12.2a4 4 0 1 0 5 5.3',
  cleanliness:
    'M11 4c.7 4 2.3 5.6 6 6.5-3.7.9-5.3 2.5-6 6.5-.7-4-2.3-5.6-6-6.5 3.7-.9 5.3-2.5 6-6.5ZM17.5 15.5v4M15.5 17.5h4',
  food: 'M8 5v14M5.5 5v3.5a2.5 2.5 0 0 0 5 0V5M16 19v-5h-2V9c0-2.5 1-4 2-4Z',
  rooms: 'M7 19.5V5h10v14.5M5 19.5h14M14 12.5h.01',
  sleep_quality: 'M18.5 14.5A7 7 0 1 1 10 5.5a5.7 5.7 0 0 0 8.5 9ZM14 5h4l-4 4.5h4',
  accuracy: 'M12 18.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM12 3.5v4M12 16.5v4M3.5 12h4M16.5 12h4M12 12h.01',
  checkin: 'M8 14a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM10.8 12.8l6.7 6.7M15 17l2-2',
  communication: 'M5 6h14v9.5h-7.5L8 19v-3.5H5ZM8.5 9.3h7M8.5 12.3h4.5',
}
const otherGlyph = 'm12 4.5 2.3 4.9 5.2.7-3.8 3.7.9 5.2-4.6-2.5L7.4 19l.9-5.2-3.8-3.7 5.2-.7Z'

/** Returns the icon of a subrating type; types without a glyph get a star. */
function renderSubratingIcon(type: string): string | undefined {
  if (!/^[a-z0-9_]{1,64}$/.test(type)) return undefined
  const glyph = Object.hasOwn(glyphs, type) ? glyphs[type]! : otherGlyph
  return svg(
    24,
    24,
    toTitle(type),
    `<rect width="24" height="24" rx="6" fill="${teal}"/>` +
      `<path d="${glyph}" fill="none" stroke="#fff" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"/>`,
  )
}

/** Returns the title of a subrating type: `sleep_quality` gives `Sleep quality`. */
function toTitle(type: string): string {
  const words = type.replaceAll('_', ' ').trim() || 'rating'
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const svg = (width: number, height: number, title: string, body: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
  `viewBox="0 0 ${width} ${height}" role="img">` +
  `<title>${title}</title>${body}</svg>\n`
