import { expect, test } from 'vitest'
import { loadAssets } from '../asset-files.ts'
import { imageOriginsOf, type Site } from '../site.ts'
import { mapView } from './map.ts'

const site: Site = {
  name: 'Places',
  zone: 'UTC',
  release: '1.0.0',
  basePath: '/base',
  map: {},
  assets: loadAssets(),
  has: { places: true, status: true, portal: true, index: false },
}

const dataOf = (text: string) =>
  JSON.parse(
    /data-map="([^"]*)"/.exec(text)![1]!.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>'),
  ) as {
    readonly markers: readonly object[]
    readonly files: Readonly<Record<string, string>>
  }

test('a map is a labelled region with its markers and the addresses of its files', () => {
  const marker = { id: '7', at: [40.4, -3.7], label: '<b>Prado' } as const
  const { text } = mapView({ label: 'Map of "Prado"', markers: [marker] }, site)
  expect(text).toContain('role="region" aria-label="Map of &quot;Prado&quot;"')
  const { markers, files } = dataOf(text)
  expect(markers).toEqual([marker])
  expect(files).toMatchObject({ names: '/base/places/names.json' })
  for (const file of [files.coarse, files.fine]) expect(site.assets.find(file!.split('/').at(-1)!)).toBeDefined()
})

test("the operator's tiles replace the land, and their host is permitted", () => {
  const tiled = { ...site, map: { tiles: 'https://{s}.tiles.example.com/{z}/{x}/{y}.png', attribution: 'Tiles: us' } }
  expect(dataOf(mapView({ label: 'Map' }, tiled).text).files).toMatchObject(tiled.map)
  expect(imageOriginsOf(tiled)).toEqual(['https://*.tiles.example.com'])
  expect(imageOriginsOf({ ...site, logo: '/logo.svg' })).toEqual([])
  expect(imageOriginsOf({ ...site, logo: 'https://cdn.example.com/logo.svg' })).toEqual(['https://cdn.example.com'])
})

test('names are asked for only where places are public', () => {
  const closed = { ...site, has: { ...site.has, places: false } }
  expect(dataOf(mapView({ label: 'Map' }, closed).text).files).not.toHaveProperty('names')
})
