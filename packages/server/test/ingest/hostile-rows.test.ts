import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { dump } from '../dump.ts'
import { configFor, importBytes, importRows, ndjson, scratch, startWorld } from '../world.ts'

const folders: { remove: () => void }[] = []
const fresh = () => {
  const folder = scratch()
  folders.push(folder)
  return configFor(folder.path)
}
afterAll(() => {
  for (const folder of folders) folder.remove()
})

const naughty = readFileSync(fileURLToPath(new URL('../fixtures/fuzz/blns.txt', import.meta.url)), 'utf8')
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'))

const place = (more: object = {}) => ({ source: 's', source_id: 'p', name: 'Place', lat: 1, lon: 2, ...more })
const review = (more: object = {}) => ({ source: 's', source_id: 'r', place_source_id: 'p', rating: 4, ...more })

describe('one hostile row among valid rows (rulings: Import format)', () => {
  /** JSON text of a location, the reason of its rejection (undefined if accepted), and the reported field. */
  const rows: [json: string, reason: string | undefined, field?: string][] = [
    [JSON.stringify(place()), undefined],
    ['{', 'invalid_json'],
    ['NaN', 'invalid_json'],
    ['{"source":"s","source_id":"p","name":"x","lat":NaN,"lon":1}', 'invalid_json'],
    ['{"source":"s","source_id":"p","name":"x","lat":Infinity,"lon":1}', 'invalid_json'],
    ['[]', 'not_an_object'],
    ['null', 'not_an_object'],
    ['"text"', 'not_an_object'],
    ['12345678901234567890', 'not_an_object'],
    [JSON.stringify(place()).replace('"lat":1', '"lat":1e999'), 'not_finite', 'lat'],
    [JSON.stringify(place({ lat: 'NaN' })), 'not_finite', 'lat'],
    [JSON.stringify(place({ lon: '-Infinity' })), 'not_finite', 'lon'],
    [JSON.stringify(place({ lat: 91 })), 'latitude_out_of_range', 'lat'],
    [JSON.stringify(place({ lat: -90.000_001 })), 'latitude_out_of_range', 'lat'],
    [JSON.stringify(place({ lon: 181 })), 'longitude_out_of_range', 'lon'],
    [JSON.stringify(place({ lat: '90', lon: '-180' })), undefined],
    [JSON.stringify(place({ lat: null })), 'missing_coordinates', 'lat'],
    [JSON.stringify(place({ lat: '' })), 'missing_coordinates', 'lat'],
    [JSON.stringify(place({ lon: ' ' })), 'missing_coordinates', 'lon'],
    [JSON.stringify(place({ lat: true })), 'invalid_value', 'lat'],
    [JSON.stringify(place({ lat: [1] })), 'invalid_value', 'lat'],
    [JSON.stringify(place({ coordinates: {} })), undefined],
    [
      JSON.stringify(place({ coordinates: { latitude: 91, longitude: 0 } })),
      'latitude_out_of_range',
      'coordinates.latitude',
    ],
    [JSON.stringify(place({ coordinates: { latitude: 1 } })), 'missing_coordinates', 'coordinates.longitude'],
    [JSON.stringify(place({ name: null })), 'missing_name', 'name'],
    [JSON.stringify(place({ name: ' \t' })), 'missing_name', 'name'],
    [JSON.stringify(place({ name: ['x'] })), 'invalid_value', 'name'],
    [JSON.stringify(place({ name: {} })), 'missing_name', 'name'],
    [JSON.stringify(place({ name: 7 })), undefined],
    [JSON.stringify({ name: 'x', lat: 1, lon: 1 }), 'missing_key', 'id'],
    [JSON.stringify({ source: 's', name: 'x', lat: 1, lon: 1 }), 'missing_key', 'id'],
    [JSON.stringify(place({ id: 0 })), 'invalid_id', 'id'],
    [JSON.stringify(place({ id: -1 })), 'invalid_id', 'id'],
    [JSON.stringify(place({ id: 1.5 })), 'invalid_id', 'id'],
    [JSON.stringify(place({ id: 1e300 })), 'invalid_id', 'id'],
    [JSON.stringify(place({ id: true })), 'invalid_id', 'id'],
    [JSON.stringify(place({ id: 'seven' })), 'invalid_id', 'id'],
    [JSON.stringify(place({ id: 'ID' })).replace('"ID"', '9223372036854775808'), 'invalid_id', 'id'],
    [JSON.stringify(place({ id: 'ID' })).replace('"ID"', '9223372036854775807'), undefined],
    [JSON.stringify(place({ id: '9223372036854775806' })), undefined],
    [JSON.stringify(place({ status: 'GONE' })), 'unknown_status', 'status'],
    [JSON.stringify(place({ status: { value: 'GONE' } })), 'unknown_status', 'status.value'],
    [JSON.stringify(place({ status: 'CLOSED', closed_date: '2026-02-31' })), 'invalid_date', 'closed_date'],
    [JSON.stringify(place({ status: 'CLOSED', closed_date: 'soon' })), 'invalid_date', 'closed_date'],
    [JSON.stringify(place({ rating: 6 })), 'rating_out_of_range', 'rating'],
    [JSON.stringify(place({ review_count: -1 })), 'invalid_value', 'review_count'],
    [JSON.stringify(place({ categories: [7] })), 'invalid_value', 'categories.0'],
    [JSON.stringify(place({ addresses: 'here' })), 'invalid_value', 'addresses'],
    [JSON.stringify(place({ names: { en: { deep: 1 } } })), 'invalid_value', 'names.en'],
    [JSON.stringify(place({ merged_into: 'nowhere' })), 'invalid_id', 'merged_into'],
    [JSON.stringify(place({ merged_into: 999 })), 'unknown_merge_target', 'merged_into'],
    [JSON.stringify(place({ stars: { valueOf: 1, toString: 1 } })), undefined],
    [JSON.stringify(place({ stars: [], rooms: [[]], population: ' ' })), undefined],
    [JSON.stringify(place({ name: 'a\0b' })), undefined],
    [JSON.stringify(place({ name: '\0' })), undefined],
    [JSON.stringify(place({ source_id: 'p\0q' })), undefined],
    [JSON.stringify(place()).replace('"Place"', String.raw`"\ud800 alone"`), undefined],
    [JSON.stringify(place()).replace('"name"', '"__proto__":{"name":"x"},"constructor":1,"name"'), undefined],
    [
      JSON.stringify(place({ subratings: { constructor: 3, __proto__: 1, hasOwnProperty: 2, 'sleep quality': 5 } })),
      undefined,
    ],
    [
      JSON.stringify(
        place({ concordances: { '': 'x', ' ': 'y', constructor: 'z' }, names: { '': 'x', constructor: 'y' } }),
      ),
      undefined,
    ],
    [
      `{"source":"s","source_id":"p","name":"deep","lat":1,"lon":2,"x":${'['.repeat(5000)}${']'.repeat(5000)}}`,
      undefined,
    ],
  ]

  test.each(rows)('%s', async (json, reason, field) => {
    const config = fresh()
    const good = (n: number) => JSON.stringify(place({ source_id: `good-${n}`, lat: 10 }))
    const { report, rejected } = await importBytes(config, `${good(1)}\n${json}\n${good(2)}`, { kind: 'location' })
    expect(rejected.map(({ line, reason, field }) => ({ line, reason, field }))).toEqual(
      reason ? [{ line: 2, reason, field }] : [],
    )
    expect(report).toMatchObject({
      read: 3,
      added: reason ? 2 : 3,
      rejected: reason ? 1 : 0,
      reasons: reason ? { [reason]: 1 } : {},
    })
    expect(dump(config).tables.locations).toHaveLength(reason ? 2 : 3)
    for (const { detail } of rejected) expect(detail).toMatch(/^.{10,}\.$/s)
    const rerun = await importBytes(config, `${good(1)}\n${json}\n${good(2)}`, { kind: 'location' })
    expect(rerun.report).toMatchObject({ added: 0, changed: 0, removed: 0, unchanged: reason ? 2 : 3 })
  })
})

describe('hostile reviews (rulings: Import format)', () => {
  const rows: [given: object, reason?: string | undefined, field?: string][] = [
    [{}, undefined],
    [{ rating: undefined, text: 'words' }, undefined],
    [{ rating: undefined }, 'missing_text_or_rating', 'text'],
    [{ rating: 0 }, 'missing_text_or_rating', 'text'],
    [{ rating: 0.5 }, 'rating_out_of_range', 'rating'],
    [{ rating: 5.01 }, 'rating_out_of_range', 'rating'],
    [{ rating: 'five' }, 'not_finite', 'rating'],
    [{ place_source_id: 'nowhere' }, 'unknown_place'],
    [{ place_source: 'other' }, 'unknown_place'],
    [{ place_source_id: undefined, location_id: 12345 }, 'unknown_place'],
    [{ place_source_id: undefined }, 'missing_place', 'location_id'],
    [{ location_id: 'x' }, 'invalid_id', 'location_id'],
    [{ publish_ts: '2026-02-31' }, 'invalid_date', 'publish_ts'],
    [{ publish_ts: '2026-01-01T25:00:00Z' }, 'invalid_date', 'publish_ts'],
    [{ travel_date: '2026-13' }, 'invalid_date', 'travel_date'],
    [{ travel_date: '2026-12' }, undefined],
    [{ trip_type: 'SPACE' }, undefined],
    [{ lang: 'klingon!' }, undefined],
    [{ source_id: undefined }, 'missing_key', 'id'],
    [{ id: -5 }, 'invalid_id', 'id'],
  ]
  test.each(rows)('%o', async (given, reason, field) => {
    const config = fresh()
    await importRows(config, 'location', [place()])
    const before = dump(config)
    const { report, rejected } = await importRows(config, 'review', [review(given)])
    expect(rejected.map(({ reason, field }) => ({ reason, field }))).toEqual(reason ? [{ reason, field }] : [])
    expect(report.added).toBe(reason ? 0 : 1)
    if (reason) expect(dump(config)).toEqual(before)
  })

  test('a time without a zone is UTC, whatever the time zone of the machine', async () => {
    const config = fresh()
    await importRows(config, 'location', [place()])
    const { TZ } = process.env
    onTestFinished(() => {
      process.env.TZ = TZ ?? 'UTC'
    })
    process.env.TZ = 'America/New_York'
    expect(new Date(2026, 0).getTimezoneOffset()).toBe(300)
    const times = [
      '2026-01-31 12:00:00',
      '2026-01-31T12:00:00',
      '2026-01-31T14:00:00+02:00',
      '2026-01-31 12:00:00Z',
      '2026-01-31 12:00:00+00',
    ]
    await importRows(
      config,
      'review',
      times.map((publish_ts, i) => review({ source_id: `r${i}`, publish_ts })),
    )
    const stored = dump(config).tables.reviews as { published_ms: bigint }[]
    expect(new Set(stored.map(row => row.published_ms))).toEqual(new Set([BigInt(Date.UTC(2026, 0, 31, 12))]))
  })
})

describe('bytes (rulings: Import format)', () => {
  const lines = (...parts: (string | Buffer)[]) =>
    Buffer.concat(parts.map(part => Buffer.concat([Buffer.from(part), Buffer.from('\n')])))
  const good = JSON.stringify(place())

  test('rejects lines with invalid UTF-8 instead of replacing bytes', async () => {
    const config = fresh()
    const bad = Buffer.from(JSON.stringify(place({ source_id: 'bad', name: '\xff' })), 'latin1')
    const cut = Buffer.from('{"name":"\u{1f600}').subarray(0, -2)
    const { rejected, report } = await importBytes(config, lines(good, bad, cut, ''))
    expect(rejected.map(({ line, reason }) => [line, reason])).toEqual([
      [2, 'invalid_utf8'],
      [3, 'invalid_utf8'],
    ])
    expect(report.added).toBe(1)
  })

  test('rejects a line of 2 MB and accepts one of just under 1 MB', async () => {
    const config = fresh()
    const long = (bytes: number, id: string) => JSON.stringify(place({ source_id: id, description: 'x'.repeat(bytes) }))
    const { rejected, report } = await importBytes(
      config,
      lines(long(2 << 20, 'a'), good, long((1 << 20) - 200, 'b'), long(1 << 20, 'c')),
    )
    expect(rejected.map(({ line, reason }) => [line, reason])).toEqual([
      [1, 'line_too_long'],
      [4, 'line_too_long'],
    ])
    expect(report).toMatchObject({ read: 4, added: 2 })
  })

  test('NUL bytes between lines are invalid JSON, not the end of the input', async () => {
    const { rejected, report } = await importBytes(
      fresh(),
      lines(good, '\0\0', JSON.stringify(place({ source_id: 'q' }))),
    )
    expect([rejected.map(({ line }) => line), report.added]).toEqual([[2], 2])
  })

  test('accepts a missing final line end, blank lines, a byte order mark and CRLF', async () => {
    const { report, rejected } = await importBytes(
      fresh(),
      `\ufeff${good}\r\n\r\n  \n${JSON.stringify(place({ source_id: 'q' }))}`,
    )
    expect([report.read, report.added, rejected]).toEqual([2, 2, []])
  })

  test('an empty file is not an error', async () => {
    const { report } = await importBytes(fresh(), '')
    expect(report).toMatchObject({ read: 0, added: 0, rejected: 0 })
  })
})

describe('duplicates and ids (R-20)', () => {
  const outcome = async (rows: object[], config = fresh(), kind: 'location' | 'review' = 'location') => {
    const { report, rejected } = await importRows(config, kind, rows)
    return { ...report, rejected: rejected.map(({ line, reason }) => `${line} ${reason}`) }
  }

  test('the first of several rows with the same id or source_id counts', async () => {
    const config = fresh()
    const rows = [
      place({ id: 5 }),
      place({ id: 5, name: 'later' }),
      place({ name: 'by key' }),
      { id: 5, name: 'by id', lat: 1, lon: 1 },
    ]
    expect(await outcome(rows, config)).toMatchObject({
      added: 1,
      rejected: ['2 duplicate_in_file', '3 duplicate_in_file', '4 duplicate_in_file'],
    })
    expect(await outcome(rows, config)).toMatchObject({ added: 0, changed: 0, unchanged: 1 })
  })

  test('the first row also counts if a duplicate follows in a later batch', async () => {
    const rows = [
      place(),
      ...Array.from({ length: 2500 }, (_, i) => place({ source_id: `n${i}` })),
      place({ name: 'later' }),
    ]
    expect(await outcome(rows)).toMatchObject({ added: 2501, rejected: ['2502 duplicate_in_file'] })
  })

  test('rejects the id of another record, and a changed id', async () => {
    const config = fresh()
    await outcome([place({ id: 5 })], config)
    expect(await outcome([place({ id: 5, source_id: 'other' })], config)).toMatchObject({
      added: 0,
      rejected: ['1 id_taken'],
    })
    expect(await outcome([place({ id: 6 })], config)).toMatchObject({
      added: 0,
      changed: 0,
      rejected: ['1 id_changed'],
    })
    expect(await outcome([place({ name: 'new name' })], config)).toMatchObject({ changed: 1, rejected: [] })
    expect(dump(config).tables.locations).toMatchObject([{ id: 5n, record: expect.stringContaining('new name') }])
  })

  test('assigned ids start at 1, skip used ids, and are the same after a rebuild', async () => {
    const rows = [
      place({ id: 2, source_id: 'two' }),
      place({ source_id: 'a' }),
      place({ source_id: 'b' }),
      place({ id: 2n ** 63n - 1n, source_id: 'max' }),
      place({ source_id: 'c' }),
    ]
    const [one, two] = [fresh(), fresh()]
    await outcome(rows, one)
    await outcome(rows.slice(0, 3), two)
    await outcome(rows, two)
    const ids = dump(one).tables.record_ids as { source_id: string; id: bigint }[]
    expect(Object.fromEntries(ids.map(row => [row.source_id, row.id]))).toEqual({
      two: 2n,
      a: 1n,
      b: 3n,
      max: 2n ** 63n - 1n,
      c: 4n,
    })
    expect(dump(two).tables.record_ids).toEqual(ids)
  })

  test('does not reuse the id of a deleted record', async () => {
    const config = fresh()
    await outcome([place()], config)
    await outcome([{ source: 's', source_id: 'p', deleted: true }], config)
    await outcome([place({ source_id: 'q' })], config)
    expect(dump(config).tables.locations).toMatchObject([{ id: 2n }])
    expect(await outcome([place()], config)).toMatchObject({ added: 1 })
    expect(dump(config).tables.locations).toMatchObject([{ id: 1n }, { id: 2n }])
  })

  test('ids of reviews are independent of ids of locations', async () => {
    const config = fresh()
    await outcome([place()], config)
    expect(await outcome([review({ id: 1 }), review({ source_id: 'x' })], config, 'review')).toMatchObject({
      added: 2,
      rejected: [],
    })
    expect(await outcome([review({ id: 1, source_id: 'y' })], config, 'review')).toMatchObject({
      rejected: ['1 id_taken'],
    })
  })
})

describe('deletions and merges (R-24)', () => {
  test('a deletion also removes the reviews and counts once', async () => {
    const config = fresh()
    await importRows(config, 'location', [place()])
    await importRows(config, 'review', [review(), review({ source_id: 'r2', rating: 1 })])
    const gone = [{ source: 's', source_id: 'p', deleted: true }]
    expect((await importRows(config, 'location', gone)).report).toMatchObject({ removed: 1 })
    expect(dump(config).tables).toMatchObject({ locations: [], reviews: [], review_totals: [] })
    expect((await importRows(config, 'location', gone)).report).toMatchObject({ removed: 0, unchanged: 1 })
    expect((await importRows(config, 'review', [review()])).rejected).toMatchObject([{ reason: 'unknown_place' }])
  })

  test('a deletion of an unknown record needs only the key', async () => {
    const { report } = await importRows(fresh(), 'location', [{ id: 99, deleted: true }])
    expect(report).toMatchObject({ unchanged: 1, rejected: 0 })
  })

  test('a deleted review no longer counts in the totals', async () => {
    const config = fresh()
    await importRows(config, 'location', [place()])
    await importRows(config, 'review', [review()])
    const before = dump(config).tables.review_totals
    await importRows(config, 'review', [review({ source_id: 'r2', rating: 1, lang: 'de', subratings: { value: 1 } })])
    await importRows(config, 'review', [{ source: 's', source_id: 'r2', deleted: true }])
    expect(dump(config).tables.review_totals).toEqual(before)
  })

  const key = (name: string) => ({ source: 's', source_id: name })
  const chain = [
    { ...key('a'), merged_into_source_id: 'b' },
    { ...key('b'), merged_into_source_id: 'c' },
    { ...key('c'), merged_into: { source: 's', source_id: 'd' } },
    place({ source_id: 'd' }),
  ]
  test.each([
    ['survivor last', chain],
    ['survivor first', chain.toReversed()],
    ['mixed', [chain[1]!, chain[3]!, chain[0]!, chain[2]!]],
  ])(
    'a chain of merges in one file, %s: all lead to its end, and a second run changes nothing',
    async (_name, rows) => {
      const config = fresh()
      const { report, rejected } = await importRows(config, 'location', rows)
      expect([report.added, report.changed, rejected]).toEqual([1, 3, []])
      const { locations, merges } = dump(config).tables as { locations: { id: bigint }[]; merges: { to_id: bigint }[] }
      expect(merges.map(merge => merge.to_id)).toEqual(Array(3).fill(locations[0]!.id))
      const rerun = await importRows(config, 'location', rows)
      expect(rerun.report).toMatchObject({ added: 0, changed: 0, unchanged: 4, rejected: 0 })
    },
  )

  test('a chain of merges that grows with each file leads to its end', async () => {
    const world = await startWorld({}, 'empty')
    const { config } = world
    await importRows(
      config,
      'location',
      [1, 2, 3].map(id => ({ id, name: `Place ${id}`, lat: 1, lon: 1 })),
    )
    await importRows(config, 'location', [{ id: 1, merged_into: 2 }])
    await importRows(config, 'location', [{ id: 2, merged_into: 3 }])
    expect((await world.get('/locations?ids=1,2,3')).json()).toMatchObject({
      data: [{ id: 3 }],
      merged_ids: [
        { from: 1, to: 3 },
        { from: 2, to: 3 },
      ],
    })
    await world.close()
  })

  test.each([
    ['with itself', [place({ id: 1 })], [{ id: 1, merged_into: 1 }], ['merge_cycle']],
    [
      'of two stored places',
      [place({ id: 1 }), place({ id: 2, source_id: 'q' })],
      [
        { id: 1, merged_into: 2 },
        { id: 2, merged_into: 1 },
      ],
      ['merge_cycle'],
    ],
    [
      'of two unknown places',
      [],
      [
        { id: 1, merged_into: 2 },
        { id: 2, merged_into: 1 },
      ],
      ['unknown_merge_target', 'unknown_merge_target'],
    ],
  ])('rejects a merge cycle: %s', async (_name, first, rows, reasons) => {
    const config = fresh()
    await importRows(config, 'location', first)
    const { rejected } = await importRows(config, 'location', rows)
    expect(rejected.map(one => one.reason)).toEqual(reasons)
    const before = dump(config)
    const rerun = await importRows(config, 'location', rows)
    expect([rerun.report.changed, rerun.rejected.length, dump(config)]).toEqual([0, reasons.length, before])
  })

  test('reviews move to the survivor and count in its totals', async () => {
    const config = fresh()
    await importRows(config, 'location', [place(), place({ source_id: 'q' })])
    await importRows(config, 'review', [
      review({ rating: 5 }),
      review({ source_id: 'r2', place_source_id: 'q', rating: 2 }),
    ])
    await importRows(config, 'location', [{ ...key('p'), merged_into_source_id: 'q' }])
    const { reviews, review_totals: totals } = dump(config).tables
    expect(reviews).toMatchObject([{ location_id: 2n }, { location_id: 2n }])
    expect(totals).toMatchObject([
      { location_id: 2n, totals: expect.stringContaining('"rated":2,"sumHundredths":700') },
    ])
  })
})

describe('too many rejected rows (rulings: Import format)', () => {
  const rows = (total: number, bad: (i: number) => boolean) =>
    ndjson(Array.from({ length: total }, (_, i) => place({ source_id: `p${i}`, ...(bad(i) && { lat: 91 }) })))

  test('more than 10 % stops the import at the end of a batch and keeps the stored rows', async () => {
    const config = fresh()
    const bytes = rows(8000, i => i >= 1000 && i % 2 === 0)
    const { report } = await importBytes(config, bytes)
    expect(report).toMatchObject({ read: 5000, added: 3000, rejected: 2000 })
    expect(report.stopped).toBe('too_many_rejected')
    expect(dump(config).tables.locations).toHaveLength(3000)
    expect((await importBytes(config, bytes, { force: true })).report).toMatchObject({
      read: 8000,
      added: 1500,
      unchanged: 3000,
      rejected: 3500,
    })
  })

  test.each([
    ['exactly 10 % does not stop the import', rows(2000, i => i % 10 === 0), 2000, false],
    ['fewer than 1,000 rows never stop the import', rows(999, () => true), 999, false],
    ['more than 10 % of the first 1,000 rows stops the import', rows(3000, i => i < 101), 1000, true],
  ])('%s', async (_name, bytes, read, stopped) => {
    const { report } = await importBytes(fresh(), bytes)
    expect([report.read, report.stopped !== undefined]).toEqual([read, stopped])
  })
})

describe('detection of the kind of a file', () => {
  test.each([
    [place(), 'location'],
    [{ id: 1, names: [{ value: 'x' }], coordinates: { latitude: 1, longitude: 1 } }, 'location'],
    [review(), 'review'],
    [{ id: 1, location_id: 1, text: 'words' }, 'review'],
    [{ source_id: 'x', text: 'words', rating: 3 }, 'review'],
    [{ id: 1, merged_into: 2 }, 'location'],
  ])('%o: %s', async (row, kind) => expect((await importBytes(fresh(), JSON.stringify(row))).kind).toBe(kind))

  test('the first unambiguous row decides', async () => {
    const text = `nonsense\n{"id":7,"deleted":true}\n${JSON.stringify(review())}`
    expect((await importBytes(fresh(), text)).kind).toBe('review')
  })

  test('an ambiguous file needs an explicit kind', async () => {
    await expect(importBytes(fresh(), '{"id":7,"deleted":true}')).rejects.toMatchObject({ code: 'unknown_kind' })
  })
})

test('every naughty string in every text is imported and served unchanged', async () => {
  const world = await startWorld({}, 'empty')
  const rows = naughty.map((text, i) => ({
    ...place({ id: i + 1, source_id: `${i} ${text}` }),
    source: `s${text}`,
    name: `n${text}`,
    names: { fr: text, [text]: text },
    description: text,
    category: text,
    city: text,
    address: text,
    postal_code: text,
    phone: text,
    url: text,
    opening_hours: text,
    tags: [text, text],
    cuisine: text,
    alt_name: text,
    price: text,
    stars: text,
    population: text,
    timezone: text,
    concordances: { [text]: text },
  }))
  const { report, rejected } = await importRows(world.config, 'location', rows)
  expect([report.added, rejected]).toEqual([naughty.length, []])
  const reviews = naughty.map((text, i) => ({
    ...review({ id: i + 1, source_id: `${i}${text}`, place_source: `s${text}`, place_source_id: `${i} ${text}` }),
    source: `r${text}`,
    title: text,
    text: `t${text}`,
    lang: text,
    trip_type: text,
    user_name: text,
    user_id: text,
    owner_response: text,
    subratings: { [text]: 3 },
  }))
  expect((await importRows(world.config, 'review', reviews)).report).toMatchObject({
    added: naughty.length,
    rejected: 0,
  })
  for (const [i, text] of naughty.entries()) {
    const reply = await world.get(`/locations/${i + 1}`)
    expect(reply.json()).toMatchObject({
      data: {
        id: i + 1,
        names: expect.arrayContaining([
          expect.objectContaining({ value: `n${text}`, primary: true }),
          ...(text.trim() ? [{ language: 'fr', value: text, primary: false }] : []),
        ]),
      },
    })
  }
  const pages = await Promise.all(naughty.map((_, i) => world.get(`/locations/${i + 1}/reviews`)))
  for (const [i, page] of pages.entries()) {
    expect(page.json()).toMatchObject({ data: [{ id: i + 1, text: [{ value: `t${naughty[i]}` }] }] })
  }
  await world.close()
})
