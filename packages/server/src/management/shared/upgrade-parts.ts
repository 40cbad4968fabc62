import type { UpgradeAsk, UpgradeState } from '../../domain/upgrade.ts'
import type { Html } from '../../web/html.ts'
import { badge, type Tone } from '../../web/parts/notice.ts'
import { formatNumber } from '../../web/parts/number.ts'
import { permissionLabels } from './key-parts.ts'

/** Returns what a request asks for: "Package scale", "Add-on Feeds". */
export function askText(ask: UpgradeAsk): string {
  if (ask.kind === 'package') return `Package ${ask.packageName}`
  if (ask.kind === 'add_on') return `Add-on ${permissionLabels[ask.addOn]}`
  if (ask.kind === 'quota')
    return ask.quota === 'unlimited' ? 'Unlimited daily units' : `${formatNumber(ask.quota)} daily units`
  return ask.packageName === undefined ? 'A live key' : `A live key in the package ${ask.packageName}`
}

const states: Readonly<Record<UpgradeState, readonly [Tone | 'plain', string]>> = {
  open: ['info', 'Open'],
  withdrawn: ['plain', 'Withdrawn'],
  approved: ['good', 'Approved'],
  declined: ['bad', 'Declined'],
}

/** Returns the state of a request. */
export const upgradeState = (state: UpgradeState): Html => badge(...states[state])
