import { Command } from 'commander'
import { expect, test } from 'vitest'
import { sortOption } from './sort-option.ts'

const orders = { first: { name: 'asc', units: 'desc' }, byDefault: { by: 'name', isDescending: false } } as const
const sortOf = (...args: readonly string[]) =>
  new Command()
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .addOption(sortOption(orders))
    .parse(args, { from: 'user' })
    .opts().sort

test('takes the orders of a list, and names them for any other value', () => {
  expect([sortOf(), sortOf('--sort', 'units,desc')]).toEqual(['name,asc', 'units,desc'])
  for (const wrong of ['units', 'units,sideways', 'nothing,asc', ''])
    expect(() => sortOf('--sort', wrong)).toThrow('Enter one of name, units, followed by ,asc or ,desc.')
})
