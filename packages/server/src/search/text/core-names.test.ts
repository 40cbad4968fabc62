import { expect, test } from 'vitest'
import { coreNamesOf } from './core-names.ts'

const core = (name: string, areas: readonly string[] = []) => coreNamesOf(name, areas).map(words => words.join(' '))

test.each([
  ['Archaeological Site of Troy', 'troy'],
  ['Historic Ensemble of the Potala Palace, Lhasa', 'potala palace'],
  ['Historic Centre of the Town of Olinda', 'olinda'],
  ['Red Fort (Complex)', 'red fort'],
  ['Darien National Park', 'darien'],
  ['Parc national de Huascarán', 'huascaran'],
  ['The Great Wall', 'great wall'],
])('the core of %s is %s (R-155)', (name, expected) => expect(core(name)).toEqual([expected]))

test('each side of a dash has a core', () =>
  expect(core('Vegaøyan – The Vega Archipelago')).toEqual(['vegaoyan', 'vega']))

test('the areas of a sight are no part of its core, and no core', () => {
  expect(core('Thian Hock Keng Temple, Singapore', ['Singapore'])).toEqual(['thian hock keng temple'])
  expect(core('Prado Madrid', ['Madrid'])).toEqual(['prado'])
  expect(core('Historic Centre of Macao', ['Macao'])).toEqual([])
})

test.each(['Central Park', 'Botanical Garden (Orto)', 'Taj Mahal', 'National Park'])('%s has no core', name =>
  expect(core(name)).toEqual([]),
)
