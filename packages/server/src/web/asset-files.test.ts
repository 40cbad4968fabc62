import { expect, test } from 'vitest'
import { loadAssets } from './asset-files.ts'

const assets = loadAssets()

test('each file has a name with a hash of its content', () => {
  const name = assets.nameOf('periplus.css')
  expect(name).toMatch(/^periplus\.[0-9a-f]{12}\.css$/)
  expect(assets.find(name)).toMatchObject({ type: 'text/css; charset=utf-8' })
  expect(assets.find(name)!.content.toString()).toContain('color-scheme: light dark')
  expect(assets.find('mark.svg')).toBe(assets.find(assets.nameOf('mark.svg')))
})

test('scripts have no types, and import each other by their names with hash', () => {
  const script = assets.find('samples.js')!.content.toString()
  expect(script).toContain('function makeTabs(group')
  expect(script).not.toContain('HTMLElement):')
  for (const [, specifier] of script.matchAll(/from '\.\/([^']+)'/g)) expect(assets.find(specifier!)).toBeDefined()
})

test('other files of the package have no address', () => {
  for (const name of ['../package.json', 'styles/base.css', 'unknown.css', ''])
    expect(assets.find(name)).toBeUndefined()
  expect(() => assets.nameOf('unknown.css')).toThrow('There is no asset named unknown.css.')
})
