import { describe, expect, test } from 'vitest'
import { operationNames } from '../../domain/operation.ts'
import { loadAssets } from '../asset-files.ts'
import { operationHue, placeHue, statusHue, versionHue } from './hues.ts'
import { axisMarks } from './scale.ts'
import { foldSeries, type Series } from './series.ts'
import { stackedBars } from './stacked-bars.ts'
import { versionTimeline } from './version-timeline.ts'

const series = (id: string, ...values: number[]): Series => ({ id, label: id, hue: 'other', values })

test('a timeline has all its places within its width, so that today is in view on a phone', () => {
  const day = (date: string) => Date.parse(date)
  const { text } = versionTimeline(
    [
      { name: '1', isRetired: true, deprecatedMs: day('2015-01-01'), sunsetMs: day('2016-01-01') },
      { name: '2', isRetired: false, releasedMs: day('2016-01-01'), note: 'Used by <Acme>' },
      { name: 'beta', isRetired: false },
    ],
    { nowMs: day('2026-11-23'), zone: 'Europe/Madrid' },
  )!
  const places = [...text.matchAll(/ (?:x|x1|width)="([\d.]+)%"/g)].map(([, value]) => Number(value))
  expect(places.length).toBeGreaterThan(10)
  expect(places.filter(place => place < 0 || place > 100)).toEqual([])
  expect(text).not.toContain('viewBox')
  expect(/class="now" x1="([\d.]+)%"/.exec(text)![1]).toBe('96.17')
  expect([...text.matchAll(/>(\d{4})</g)].map(([, year]) => year)).toEqual(['2015', '2018', '2021', '2024', '2027'])
  for (const part of ['<p>Version 1</p>', 'Version 2 <span', 'Used by &lt;Acme&gt;', '<p>Beta</p>'])
    expect(text).toContain(part)
})

describe('charts', () => {
  test('marks are round and reach the largest value', () => {
    expect([0, 1, 3, 7, 40, 41, 999, 12_345].map(max => axisMarks(max).at(-1))).toEqual([
      1, 1, 3, 8, 40, 60, 1000, 15_000,
    ])
    expect(axisMarks(7)).toEqual([0, 2, 4, 6, 8])
  })

  test('small series are combined, and no call is lost', () => {
    const all = [series('a', 500, 0), series('b', 3, 1), series('c', 0, 2), series('d', 0, 0), series('e', 300, 9)]
    const folded = foldSeries(all)
    expect(folded.map(({ id, label, values }) => [id || label, ...values])).toEqual([
      ...[
        ['a', 500, 0],
        ['e', 300, 9],
        ['2 others', 3, 3],
      ],
    ])
    expect(foldSeries([series('a', 500), series('b', 1)]).map(({ id }) => id)).toEqual(['a', 'b'])
    expect(foldSeries(Array.from({ length: 9 }, (_, i) => series(String(i), 5)))).toHaveLength(7)
    expect(foldSeries([...all, series('f', 1, 0)], { minShare: 0 })).toHaveLength(5)
  })

  test('bars are as high as their values and say them', () => {
    const { text } = stackedBars({
      title: 'Units per day',
      unit: 'units',
      labels: ['1 Nov', '2 Nov'],
      series: [{ ...series('a', 10, 0), hue: 'op-1' }, series('<b>', 30, 40)],
    })
    expect(text).toContain('class="hue-op-1" d="M2.5 75h5v25h-5z"')
    expect(text).toContain('class="hue-other" d="M2.5 0h5v75h-5zM12.5 0h5v100h-5z"')
    expect(text).toContain('<title>1 Nov: 40 units\n&lt;b&gt;: 30\na: 10</title>')
    expect(text).toContain('80 units in total, at most 40 on 1 Nov')
  })

  test('each colour is defined', () => {
    const css = String(loadAssets().find('periplus.css')!.content)
    const hues = [
      ...operationNames.map(operationHue),
      ...['200', '202', '304', '400', '401', '404', '410', '429', '503', '999'].map(statusHue),
      ...['0', '12', 'beta'].map(versionHue),
      ...Array.from({ length: 10 }, (_, i) => placeHue(i)),
      operationHue('unknown'),
    ]
    for (const hue of hues) expect(css).toContain(`.hue-${hue} {`)
    expect(new Set(operationNames.map(operationHue)).size).toBe(operationNames.length)
  })
})
