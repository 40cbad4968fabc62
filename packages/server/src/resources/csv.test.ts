import { expect, test } from 'vitest'
import { csvText } from './csv.ts'

test('quotes what RFC 4180 requires, and disarms what a spreadsheet could run', () => {
  const rows = [
    ['one', 'two', 'three'],
    ['a,b', 'say "so"', undefined],
    ['line\nbreak', 'return\rhere', 7],
    ['=1+1', '@sum', -3],
  ]
  expect(csvText(rows)).toBe('one,two,three\n"a,b","say ""so""",\n"line\nbreak","return\rhere",7\n\'=1+1,\'@sum,-3\n')
})
