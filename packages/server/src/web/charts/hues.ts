/**
 * The colours of charts. A value keeps its colour in every chart and period; chart.css defines each one for light and
 * dark.
 */
import { type Operation, operationNames } from '../../domain/operation.ts'

/** Returns the colour of an operation. */
export const operationHue = (operation: string): string =>
  operationNames.includes(operation as Operation) ? `op-${operationNames.indexOf(operation as Operation) + 1}` : 'other'

/** Colours of statuses that differ from those of their class. */
const statusHues: Readonly<Record<string, string>> = {
  200: 'status-ok',
  401: 'status-grant',
  403: 'status-grant',
  404: 'status-missing',
  410: 'status-gone',
  429: 'status-limit',
}
const classHues: Readonly<Record<string, string>> = {
  2: 'status-more',
  3: 'status-same',
  4: 'status-client',
  5: 'status-server',
}

/** Returns the colour of a status, which says how the call ended. */
export const statusHue = (status: string): string => statusHues[status] ?? classHues[status[0]!] ?? 'other'

/** The colours for values without a meaning of their own, such as keys; more than a chart has series. */
export const anyHues: readonly string[] = Array.from({ length: 8 }, (_, i) => `any-${i + 1}`)

/** Returns the colour of the value at a position of a list that only grows, such as the keys of a partner by age. */
export const placeHue = (place: number): string => anyHues[place % anyHues.length]!

/** Returns the colour of a version of the partner API. */
export const versionHue = (version: string): string => (/^\d+$/.test(version) ? placeHue(Number(version)) : 'any-8')
