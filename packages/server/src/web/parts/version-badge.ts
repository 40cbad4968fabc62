import type { VersionStatus } from '../../domain/lifecycle.ts'
import type { Html } from '../html.ts'
import { badge, type Tone } from './notice.ts'

const tones: Readonly<Record<VersionStatus, Tone | 'plain'>> = {
  preview: 'info',
  stable: 'good',
  deprecated: 'warn',
  retired: 'plain',
}

/** Returns the status of a version as a badge, in the word of the contract. */
export const versionBadge = (status: VersionStatus): Html => badge(tones[status], status)
