import { type Html, html } from '../html.ts'

/** Returns the colour of a series as a small square. */
export const swatch = (hue: string): Html =>
  html`<svg class="swatch" viewBox="0 0 10 10" aria-hidden="true"><rect class="hue-${hue}" width="10" height="10"
rx="2"/></svg>`
