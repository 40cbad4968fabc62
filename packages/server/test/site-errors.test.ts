import { expect, test } from 'vitest'
import { configFor } from './world.ts'

test('a colour without contrast and an unknown zone are refused with their values', () => {
  expect(() => configFor('/tmp/x', { 'site.accent': '#88ccee' })).toThrow(
    'site.accent (flag): the contrast of #88ccee with white is 1.76:1, but text needs 4.5:1 or more; choose a darker colour.',
  )
  expect(() => configFor('/tmp/x', { 'site.zone': 'Mars/Olympus' })).toThrow(
    'the time zone Mars/Olympus does not exist',
  )
  expect(configFor('/tmp/x', { 'site.accent': '#0b6477', 'site.zone': 'Europe/Madrid' }).site.accent).toBe('#0b6477')
})

test('a template of map tiles needs column and row', () => {
  expect(() => configFor('/tmp/x', { 'map.tiles': 'https://tiles.example.com/{z}/{x}.png' })).toThrow(
    'map.tiles (flag): the template has no {y}, so that every tile would be the same',
  )
  const tiles = 'https://{s}.example.com/{z}/{y}/{x}.png'
  expect(configFor('/tmp/x', { 'map.tiles': tiles }).map.tiles).toBe(tiles)
})
