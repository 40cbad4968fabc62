import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Row } from '../row.ts'
import { readCsv } from './csv.ts'
import { guessDelimiter, readDialect } from './csv-dialect.ts'
import { sniffedBytes } from './sniff.ts'

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function rowsOf(content: string | Buffer, size = 1 << 16): Promise<Row[]> {
  const bytes = Buffer.from(content)
  const head = bytes.subarray(0, sniffedBytes)
  const dialect = readDialect(head, head.length === bytes.length, undefined)
  const rows: Row[] = []
  for await (const row of readCsv(chunksOf(bytes, size), dialect)) rows.push(row)
  return rows
}

/** `line: cells` or `line: reason`. */
const outcome = async (content: string | Buffer, size?: number) =>
  (await rowsOf(content, size)).map(row => [row.line, row.rejection?.reason ?? Object.values(row.record!).join('|')])

describe('RFC 4180', () => {
  const rows: [name: string, text: string, expected: [number, string][]][] = [
    [
      'plain',
      'name,lat\na,1\nb,2\n',
      [
        [2, 'a|1'],
        [3, 'b|2'],
      ],
    ],
    ['no last line end', 'name,lat\na,1', [[2, 'a|1']]],
    [
      'CRLF',
      'name,lat\r\na,1\r\nb,2\r\n',
      [
        [2, 'a|1'],
        [3, 'b|2'],
      ],
    ],
    [
      'carriage returns alone',
      'name,lat\ra,1\rb,2\r',
      [
        [2, 'a|1'],
        [3, 'b|2'],
      ],
    ],
    ['quoted delimiter and quote', 'name,lat\n"a, ""b""",1\n', [[2, 'a, "b"|1']]],
    [
      'quoted line ends count as lines',
      'name,lat\n"a\nb\r\nc",1\nd,2\n',
      [
        [2, 'a\nb\r\nc|1'],
        [5, 'd|2'],
      ],
    ],
    [
      'blank lines are skipped',
      'name,lat\n\na,1\n\n\nb,2\n  \n',
      [
        [3, 'a|1'],
        [6, 'b|2'],
      ],
    ],
    [
      'rows of empty cells are skipped',
      'name,lat\na,1\n,\n , ,\n"",\nb,\n',
      [
        [2, 'a|1'],
        [6, 'b|'],
      ],
    ],
    ['blank lines before the header', '\n\nname,lat\na,1\n', [[4, 'a|1']]],
    ['a byte order mark', '\ufeffname,lat\na,1\n', [[2, 'a|1']]],
    ['a byte order mark before a quote', '\ufeff"name","lat"\n"a",1\n', [[2, 'a|1']]],
    ['semicolons', 'name;lat\na,b;1\n', [[2, 'a,b|1']]],
    ['tabs', 'name\tlat\na b\t1\n', [[2, 'a b|1']]],
    ['pipes', 'name|lat\na|1\n', [[2, 'a|1']]],
    ['the header alone', 'name,lat\n', []],
    [
      'no header',
      'Prado,40.4\nLouvre,48.8\n',
      [
        [1, 'Prado|40.4'],
        [2, 'Louvre|48.8'],
      ],
    ],
  ]
  it.each(rows)('%s', async (_name, text, expected) => {
    expect(await outcome(text)).toEqual(expected)
    expect(await outcome(text, 1)).toEqual(expected)
    expect(await outcome(text, 7)).toEqual(expected)
  })
})

describe('a syntax error rejects one line', () => {
  const rows: [name: string, text: string | Buffer, expected: [number, string][]][] = [
    [
      'too few cells',
      'name,lat\na\nb,2\n',
      [
        [2, 'ragged_row'],
        [3, 'b|2'],
      ],
    ],
    [
      'too many cells',
      'name,lat\n"x\ny",1,2\nb,2\n',
      [
        [2, 'ragged_row'],
        [4, 'b|2'],
      ],
    ],
    [
      'a quote within a value',
      'name,lat\na"b,1\nb,2\n',
      [
        [2, 'stray_quote'],
        [3, 'b|2'],
      ],
    ],
    [
      'something behind a closing quote',
      'name,lat\n"a"b,1\nb,2\n',
      [
        [2, 'stray_quote'],
        [3, 'b|2'],
      ],
    ],
    [
      'a quote that never closes',
      'name,lat\n"a,1\nb,2\nc,3\n',
      [
        [2, 'quote_not_closed'],
        [3, 'b|2'],
        [4, 'c|3'],
      ],
    ],
    [
      'a byte 0',
      'name,lat\na\0,1\nb,2\n',
      [
        [2, 'nul_byte'],
        [3, 'b|2'],
      ],
    ],
    [
      'no UTF-8',
      Buffer.from('name,lat\nM\xfcnchen,1\nb,2\n', 'latin1'),
      [
        [2, 'invalid_utf8'],
        [3, 'b|2'],
      ],
    ],
  ]
  it.each(rows)('%s', async (_name, text, expected) => {
    expect(await outcome(text)).toEqual(expected)
    expect(await outcome(text, 3)).toEqual(expected)
  })

  it('a cell of 10 MB, quoted or not, is rejected', async () => {
    for (const quote of ['', '"']) {
      const text = `name,lat\na,1\n${quote}${'x'.repeat(10 << 20)}${quote},1\nb,2\n`
      expect(await outcome(text)).toEqual([
        [2, 'a|1'],
        [3, 'line_too_long'],
        [4, 'b|2'],
      ])
    }
  })

  it('an open quote followed by more than 1 MB is rejected before the end', async () => {
    const text = `name,lat\n"a,1\n${'b,2\n'.repeat(500_000)}`
    const rows = await rowsOf(text)
    expect([rows.length, rows[0]?.rejection?.reason, rows.at(-1)?.line]).toEqual([500_001, 'quote_not_closed', 500_002])
  })

  it('text() returns the row unchanged', async () => {
    const [row] = await rowsOf('name,lat\r\n"a\r\nb",1,2\r\n')
    expect(row!.text()).toBe('"a\r\nb",1,2')
  })
})

it('makes missing and repeated column names unique', () => {
  const { columns } = readDialect(Buffer.from('name,name,,lat\na,b,c,1\n'), true, undefined)
  expect(columns).toEqual(['name', 'name_2', 'column_3', 'lat'])
})

it('no delimiter is detected in a text without one', () => {
  expect(guessDelimiter(Buffer.from('nonsense\nmore of it\n'), true)).toBeUndefined()
})

it('reads any cells with any delimiter on their lines, for any split into chunks', async () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 12 }).map(text => text.replaceAll('\0', '').toWellFormed())
  const delimiter = fc.constantFrom(',', ';', '\t', '|')
  // Rows of blanks are skipped, as spreadsheets write them; the table above has a row for that.
  const row = fc.tuple(cell, cell, cell).filter(cells => cells.join('').trim() !== '')
  const rows = fc.array(row, { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(rows, delimiter, fc.boolean(), fc.integer({ min: 1, max: 40 }), async (cells, by, crlf, size) => {
      const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
      const end = crlf ? '\r\n' : '\n'
      const lines = cells.map(row => row.map(quoted).join(by))
      const bytes = Buffer.from([['name', 'lat', 'lon'].join(by), ...lines].join(end))
      const found: Row[] = []
      for await (const row of readCsv(chunksOf(bytes, size), readDialect(bytes, true, by))) found.push(row)
      expect(found.map(row => Object.values(row.record!))).toEqual(cells)
      let line = 2
      for (const [i, row] of found.entries()) {
        expect(row.line).toBe(line)
        line += lines[i]!.split('\n').length
      }
    }),
    { numRuns: 300 },
  )
})
