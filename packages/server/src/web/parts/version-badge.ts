import type { VersionStatus } from '../../domain/lifecycle.ts'
import type { Html } from '../html.ts'
import { badge, type Tone } from './notice.ts'

const tones: Readonly<Record<VersionStatus, Tone | 'plain'>> = {
  preview: 'info',
  stable: 'good',
  deprecated: 'warn',
  retired: 'plain',
}

/** Returns the name of a version as the head of a row or card: "Version 1", "Beta". */
export const versionTitle = (name: string): string => (/^\d/.test(name) ? `Version ${name}` : capitalize(name))

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns the status of a version as a badge, in the word of the contract. */
export const versionBadge = (status: VersionStatus): Html => badge(tones[status], status)
