import { expect, test } from 'vitest'
import type { LifecycleSettings } from '../../domain/lifecycle.ts'
import { resolveLifecycle } from '../lifecycle.ts'
import { selectVersion } from '../select.ts'
import { toTerraLifecycle } from './lifecycle.ts'
import { toTerraNames } from './text.ts'
import { toVisitCode } from './words.ts'

const nowMs = Date.UTC(2027, 0, 1)

const select = (versions: LifecycleSettings['versions'], query: { readonly version?: string } = {}) => {
  const lifecycle = toTerraLifecycle(resolveLifecycle({ versions, endpoints: {} }))
  const selected = selectVersion(lifecycle, query, nowMs)
  return 'fault' in selected ? selected.fault.fault : selected.version.name
}

test.each([
  ['of the registry', {}, '1'],
  ['when version 2 has become the default', { '1': { status: 'deprecated' }, '2': { status: 'stable' } }, '1'],
  ['when version 1 is retired', { '1': { status: 'retired' }, '2': { status: 'stable' } }, 'version_retired'],
  [
    'when version 1 is past its sunset',
    { '1': { sunset: '2026-12-01' }, '2': { status: 'stable' } },
    'version_retired',
  ],
] as const)('the profile stays version 1: %s', (_when, settings, expected) => {
  expect(select(settings)).toBe(expected)
  expect(select(settings, { version: '1' })).toBe(expected)
  expect(select(settings, { version: '2' })).toBe('version_unknown')
})

test('the first name of each language is primary, and that of the record is the first without locales', () => {
  const names = [
    { language: 'en', value: 'Dawn' },
    { language: 'en', value: 'Daybreak' },
    { value: 'Alba', primary: true },
  ].map(name => ({ primary: false, ...name }))
  const [dawn, daybreak] = [
    { language: 'en', value: 'Dawn', primary: true },
    { language: 'en', value: 'Daybreak', primary: false },
  ]
  const alba = { language: 'und', value: 'Alba', primary: true }
  expect(toTerraNames(names, true)).toEqual([dawn, daybreak, alba])
  expect(toTerraNames(names, false)).toEqual([alba, dawn, daybreak])
})

test.each([
  ['2', 2],
  ['2–3 Hours', 3],
  ['> 3 hours', undefined],
  ['half a day', undefined],
])('a visit of %s has the code %s', (text, code) => {
  expect(toVisitCode(text)).toBe(code)
})
