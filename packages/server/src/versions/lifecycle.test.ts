import { describe, expect, test } from 'vitest'
import type { LifecycleSettings } from '../domain/lifecycle.ts'
import { getDefaultVersion, resolveLifecycle } from './lifecycle.ts'
import { findEndedDefault, findEndedFeedErrors, findLifecycleErrors } from './lifecycle-errors.ts'
import { findLifecycleWarnings, listLifecycleWarnings } from './lifecycle-warnings.ts'

const settings = (versions: LifecycleSettings['versions'], endpoints: LifecycleSettings['endpoints'] = {}) => ({
  versions,
  endpoints,
})
const now = Date.UTC(2026, 10, 21)
const defaultOf = (given: LifecycleSettings, nowMs = now) => getDefaultVersion(resolveLifecycle(given), nowMs).name

describe('the default version (R-16)', () => {
  test.each<[string, LifecycleSettings['versions'], string]>([
    ['as released', {}, '1'],
    ['after a promotion', { 2: { status: 'stable' } }, '2'],
    ['deprecated, while no newer version is stable', { 1: { deprecated: '2026-01-01', sunset: '2028-01-01' } }, '1'],
    ['deprecated by status', { 1: { status: 'deprecated', deprecated: '2026-01-01' }, 2: { status: 'stable' } }, '2'],
    ['withdrawn', { 2: { status: 'retired' } }, '1'],
    ['a newer one past its sunset', { 2: { status: 'stable', deprecated: '2025-01-01', sunset: '2026-02-01' } }, '1'],
    ['all past their sunset', { 1: { deprecated: '2025-01-01', sunset: '2026-02-01' } }, '1'],
  ])('%s', (_name, versions, expected) => expect(defaultOf(settings(versions))).toBe(expected))
})

describe('invalid settings', () => {
  test.each<[string, LifecycleSettings, string]>([
    ['an unknown version', settings({ 9: {} }), 'versions.9'],
    ['beta, which has no lifecycle settings', settings({ beta: { status: 'stable' } }), 'versions.beta'],
    ['a date that does not exist', settings({ 1: { deprecated: '2027-02-30' } }), 'versions.1.deprecated'],
    ['a time that does not exist', settings({ 1: { deprecated: '2027-01-01T25:00Z' } }), 'versions.1.deprecated'],
    ['a sunset without a deprecation', settings({ 1: { sunset: '2027-01-01' } }), 'versions.1.sunset'],
    [
      'a sunset before the deprecation',
      settings({ 1: { deprecated: '2027-01-02', sunset: '2027-01-01' } }),
      'versions.1.sunset',
    ],
    [
      'a sunset at the deprecation',
      settings({ 1: { deprecated: '2027-01-01', sunset: '2027-01-01' } }),
      'versions.1.sunset',
    ],
    ['deprecated without a date', settings({ 2: { status: 'deprecated' } }), 'versions.2.status'],
    ['no stable version', settings({ 1: { status: 'preview' } }), 'versions.1.status'],
    ['the only stable version retired', settings({ 1: { status: 'retired' } }), 'versions.1.status'],
    [
      'a version that the release has ended, brought back',
      settings({ 0: { deprecated: '2024-11-06', sunset: '2099-01-01' } }),
      'versions.0.sunset',
    ],
    [
      'an endpoint with a sunset only',
      settings({}, { getLocation: { sunset: '2027-01-01' } }),
      'endpoints.getLocation.sunset',
    ],
  ])('%s', (_name, given, path) => expect(findLifecycleErrors(given).map(one => one.path)).toEqual([path]))

  test('the released versions are valid, and a notice period of a year and a day gives no warning', () => {
    const given = settings({ 1: { deprecated: '2027-01-01', sunset: '2028-01-02T00:00:00+02:00' } })
    expect([
      findLifecycleErrors(settings({})),
      findLifecycleErrors(given),
      findLifecycleWarnings(resolveLifecycle(given)),
    ]).toEqual([[], [], []])
  })
})

test('a notice period of less than a year gives a warning', () => {
  const lifecycle = resolveLifecycle(
    settings(
      { 1: { deprecated: '2027-01-01', sunset: '2027-12-31' } },
      { getLocation: { deprecated: '2027-01-01', sunset: '2027-01-08' } },
    ),
  )
  expect(findLifecycleWarnings(lifecycle).map(({ path, text }) => [path, /\d+/.exec(text)![0]])).toEqual([
    ['versions.1', '364'],
    ['endpoints.getLocation', '7'],
  ])
})

describe('a stable version that has ended (R-16)', () => {
  const ended = { deprecated: '2025-01-01', sunset: '2026-02-01' }
  test.each<[string, LifecycleSettings['versions'], string[]]>([
    ['the only stable one', { 1: ended }, ['versions.1.sunset']],
    [
      'the only stable one, at its last second',
      { 1: { ...ended, sunset: '2026-11-21T00:00:00Z' } },
      ['versions.1.sunset'],
    ],
    ['the only stable one, a second before', { 1: { ...ended, sunset: '2026-11-21T00:00:01Z' } }, []],
    ['all stable ones', { 1: ended, 2: { status: 'stable', ...ended } }, ['versions.2.sunset']],
    ['the latest, with an older stable one', { 2: { status: 'stable', ...ended } }, []],
    ['an older one', { 1: ended, 2: { status: 'stable' } }, []],
  ])('%s', (_name, versions, paths) =>
    expect(findEndedDefault(resolveLifecycle(settings(versions)), now).map(({ path }) => path)).toEqual(paths),
  )
})

test('feeds end only in versions that exist', () => {
  expect(findEndedFeedErrors(['0', '7', '2', '01']).map(({ path }) => path)).toEqual([
    'feeds.endedVersions.1',
    'feeds.endedVersions.3',
  ])
  expect([findEndedFeedErrors([]), findEndedFeedErrors(undefined), findEndedFeedErrors('0')]).toEqual([[], [], []])
})

describe('settings that are valid but unwise', () => {
  const year = { deprecated: '2027-01-01', sunset: '2028-02-01' }
  test.each<[string, LifecycleSettings, string[], string[]]>([
    ['none', settings({}), [], []],
    ['an end of the only stable version', settings({ 1: year }), [], ['versions.1.sunset']],
    ['an end with a successor', settings({ 1: year, 2: { status: 'stable' } }), [], []],
    ['ends of all stable versions', settings({ 1: year, 2: { status: 'stable', ...year } }), [], ['versions.2.sunset']],
    [
      'a version that is retired before its sunset',
      settings({ 1: { status: 'retired', ...year }, 2: { status: 'stable' } }),
      [],
      ['versions.1.status'],
    ],
    [
      'a successor that nothing announces',
      settings({}, { getLocation: { successor: '/x' } }),
      [],
      ['endpoints.getLocation.successor'],
    ],
    ['ended feeds of the default version', settings({}), ['0', '1'], ['feeds.endedVersions.1']],
    ['ended feeds of other versions', settings({}), ['0', '2'], []],
  ])('%s', (_name, given, endedFeeds, paths) => {
    expect(findLifecycleErrors(given)).toEqual([])
    expect(listLifecycleWarnings(resolveLifecycle(given), endedFeeds, now).map(({ path }) => path)).toEqual(paths)
  })
})
