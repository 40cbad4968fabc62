import { type Html, type HtmlValue, html } from '../html.ts'
import { formatNumber } from './number.ts'

/** The used part of a limit. */
export interface MeterBar {
  readonly label: string
  readonly used: number
  /** Undefined if there is no limit. */
  readonly limit: number | undefined
  readonly unit: string
  /** Sentence below the bar: when the window ends. */
  readonly note?: HtmlValue
}

/** Returns a share from 0 to 1 as a bar; the caller shows the figure as text. */
export function shareBar(share: number, level?: 'good' | 'warn' | 'bad' | 'info'): Html {
  const name = level === undefined ? 'bar' : `bar ${level}`
  return html`<svg class="${name}" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
<rect class="track" width="100" height="6"/><rect class="fill" width="${(share * 100).toFixed(2)}" height="6"/></svg>`
}

/** Returns a bar that shows how far a limit is used up, with the figures as text. */
export function meter({ label, used, limit, unit, note }: MeterBar): Html {
  const share = limit === undefined || limit === 0 ? 0 : Math.min(1, used / limit)
  const level = share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : 'good'
  const left = limit === undefined ? 'unlimited' : `${formatNumber(Math.max(0, limit - used))} left`
  return html`<div class="meter">
<p class="meter-head"><span class="meter-label">${label}</span> <span class="quiet">${left}</span></p>
<p class="meter-figure"><strong>${formatNumber(used)}</strong>${limit !== undefined && html` of ${formatNumber(limit)}`} ${unit}</p>
${limit !== undefined && shareBar(share, level)}
${note !== undefined && html`<p class="meter-note quiet">${note}</p>`}</div>
`
}
