import { contrastOf } from '../kit/contrast.ts'
import { isTimeZone } from '../kit/time.ts'
import type { Config } from './schema.ts'

/** Minimum contrast of text (WCAG 2.2, 1.4.3). */
const minContrast = 4.5

/** Returns the errors of the sections `site` and `map` that a schema cannot express. */
export function findSiteErrors({ site, map }: Pick<Config, 'site' | 'map'>): { path: string; text: string }[] {
  const errors: { path: string; text: string }[] = []
  // A value of another type is an error of the schema.
  if (typeof site?.zone === 'string' && !isTimeZone(site.zone))
    errors.push({
      path: 'site.zone',
      text: `the time zone ${site.zone} does not exist; use a name such as Europe/Madrid`,
    })
  if (typeof site?.accent === 'string' && /^#[0-9a-f]{6}$/i.test(site.accent)) {
    const contrast = contrastOf(site.accent, '#ffffff')
    if (contrast < minContrast)
      errors.push({
        path: 'site.accent',
        // Rounded down, so that a contrast just below the minimum does not look sufficient.
        text: `the contrast of ${site.accent} with white is ${(Math.floor(contrast * 100) / 100).toFixed(2)}:1, but text needs ${minContrast}:1 or more; choose a darker colour`,
      })
  }
  const tiles = map?.tiles
  const missing = typeof tiles === 'string' ? ['{x}', '{y}'].filter(name => !tiles.includes(name)) : []
  if (missing.length > 0)
    errors.push({
      path: 'map.tiles',
      text: `the template has no ${missing.join(' and no ')}, so that every tile would be the same; use a URL such as https://tiles.example.com/{z}/{x}/{y}.png`,
    })
  return errors
}
