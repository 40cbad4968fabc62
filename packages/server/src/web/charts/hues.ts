/** The colours of charts. A value keeps its colour in every chart and period; chart.css defines each one for light and dark. */
import { type Operation, operationNames } from '../../domain/operation.ts'

/** Returns the colour of an operation. */
export const operationHue = (operation: string): string =>
  operationNames.includes(operation as Operation) ? `op-${operationNames.indexOf(operation as Operation) + 1}` : 'other'

/** Returns the colour of a status, which says how the call ended. */
export function statusHue(status: string): string {
  if (status === '200') return 'status-ok'
  if (status === '429') return 'status-limit'
  return { 2: 'status-more', 3: 'status-same', 4: 'status-client', 5: 'status-server' }[status[0]!] ?? 'other'
}

/** Number of colours for values without a meaning of their own, such as keys. */
const anyHues = 8

/** Returns the colour of the value at a place of a list that only grows, such as the keys of a partner by age. */
export const placeHue = (place: number): string => `any-${(place % anyHues) + 1}`

/** Returns the colour of a version of the partner API. */
export const versionHue = (version: string): string => (/^\d+$/.test(version) ? placeHue(Number(version)) : 'any-8')
