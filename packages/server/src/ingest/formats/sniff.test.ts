import { describe, expect, it } from 'vitest'
import type { ImportFormat } from '../../domain/import.ts'
import { sniffFormat } from './sniff.ts'

const detect = (content: string | Buffer, forced?: ImportFormat) =>
  sniffFormat('file', Buffer.from(content), true, forced)

describe('the format of a file, by its content', () => {
  const rows: [name: string, content: string | Buffer, expected: ImportFormat][] = [
    ['records', '{"name":"x"}\n{"name":"y"}\n', 'ndjson'],
    ['records behind a byte order mark', '\ufeff{"name":"x"}\n', 'ndjson'],
    ['a record that is broken', '{"name":\n{"name":"y"}\n', 'ndjson'],
    ['records that name a type', '{"type":"Place","name":"x"}\n', 'ndjson'],
    ['a JSON text sequence', '\x1e{"name":"x"}\n\x1e{"name":"y"}\n', 'ndjson'],
    ['nothing', '', 'ndjson'],
    ['one word', 'nonsense', 'ndjson'],
    ['features one a line', '{"type":"Feature","id":1}\n{"type":"Feature"}\n', 'geojson'],
    ['features behind separators', '\x1e{\n"type": "Feature"}\n', 'geojson'],
    ['a collection in one line', '{"type":"FeatureCollection","features":[]}', 'geojson'],
    ['a collection over many lines', '{\n  "type": "FeatureCollection",\n  "features": [\n', 'geojson'],
    ['a collection that begins with its features', '{"features":[\n{"type":"Feature"}', 'geojson'],
    ['commas', 'name,lat,lon\nx,1,2\n', 'csv'],
    ['a quoted header', '"name";"lat"\n"x";1\n', 'csv'],
    ['tabs', 'name\tlat\nx\t1\n', 'csv'],
    ['Parquet', 'PAR1....', 'parquet'],
  ]
  it.each(rows)('%s', (_name, content, expected) => expect(detect(content)).toBe(expected))

  it('can be forced', () => {
    expect(detect('{"name":"x"}\n', 'csv')).toBe('csv')
    expect(detect('a,b\n1,2\n', 'ndjson')).toBe('ndjson')
  })

  it.each([
    ['a spreadsheet', 'PK\x03\x04...', undefined, 'CSV'],
    ['gzip in gzip', Buffer.from([0x1f, 0x8b, 8, 0]), undefined, 'gzip twice'],
    ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0]), undefined, 'zstd'],
    ['bzip2', 'BZh9...', undefined, 'bzip2'],
    ['SQLite', 'SQLite format 3\0...', undefined, 'SQLite'],
    ['a JSON array', '[\n {"name":"x"}\n]', undefined, 'jq'],
    ['XML', '\n<?xml version="1.0"?>\n<places/>', undefined, 'XML'],
    ['a page', '<!DOCTYPE html>\n<p>name,lat</p>', undefined, 'HTML'],
    ['text as Parquet', 'name,lat\n', 'parquet' as const, 'PAR1'],
    ['Parquet as CSV', 'PAR1', 'csv' as const, 'is a Parquet file, not csv'],
  ])('%s is rejected with a sentence', (_name, content, forced, says) => {
    expect(() => detect(content, forced)).toThrow(says)
  })
})
