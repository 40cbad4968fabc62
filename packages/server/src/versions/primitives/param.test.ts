import { describe, expect, it } from 'vitest'
import { choice, choices } from './choice-params.ts'
import { id, idList } from './id-params.ts'
import { localeOr, locales } from './locale-params.ts'
import { InvalidParameter, type Param, required, withDefault } from './param.ts'
import { decimal, instant, integer } from './single-params.ts'

const described = { description: '' }
const read = <T>(param: Param<T>, ...values: string[]) => param.read(values)

describe('valid values', () => {
  const whole = integer({ ...described, minimum: 1, maximum: 20 })
  const open = integer({ ...described, minimum: 1 })
  const ratio = decimal({ ...described, minimum: -90, maximum: 90 })
  const trip = choice(['SOLO', 'NONE'], described)
  const sort = choice(['distance,asc'], { ...described, synonyms: { distance: 'distance,asc' } })
  const when = instant(described)
  const noon = Date.UTC(2026, 0, 31, 12)
  const rows: [name: string, param: Param<unknown>, values: string[], expected: unknown][] = [
    ['an integer', whole, ['20'], 20],
    ['with a sign', whole, ['+7'], 7],
    ['the same value twice', whole, ['7', '7'], 7],
    ['not sent', whole, [], undefined],
    ['without an upper bound', open, ['9007199254740991'], 9007199254740991],
    ['a fraction', ratio, ['-89.5'], -89.5],
    ['a fraction without a zero', ratio, ['.5'], 0.5],
    ...[
      ['1e1', 10],
      ['1E1', 10],
      ['-5e-05', -0.00005],
      ['8.9E+1', 89],
      ['.5e0', 0.5],
      ['5.e-1', 0.5],
      ['1e 1', 10],
      [' 1.5', 1.5],
      [' .5', 0.5],
      ['1e-400', 0],
      ['+0e999', 0],
    ].map(([sent, number]): [string, Param<unknown>, string[], unknown] => [`${sent}`, ratio, [`${sent}`], number]),
    ['a synonym', sort, [' Distance '], 'distance,asc'],
    ['a value with a synonym', sort, ['DISTANCE,ASC'], 'distance,asc'],
    ['a choice in any case', trip, [' solo '], 'SOLO'],
    ['a date', when, ['2026-01-31'], Date.UTC(2026, 0, 31)],
    ['a leap day', when, ['2024-02-29'], Date.UTC(2024, 1, 29)],
    ['a date-time', when, ['2026-01-31T12:00:00Z'], noon],
    ['in lower case', when, ['2026-01-31t12:00:00z'], noon],
    ['without seconds', when, ['2026-01-31T12:00Z'], noon],
    ['with a zone', when, ['2026-01-31T14:00:00+02:00'], noon],
    ['with a plus sign decoded to a space', when, ['2026-01-31T14:00:00 02:00'], noon],
    ['without a zone: UTC', when, ['2026-01-31T12:00:00'], noon],
    ['with nanoseconds', when, ['2026-01-31T12:00:00.123456789Z'], noon + 123],
    ['an id', id(described), [' 9223372036854775807 '], 9223372036854775807n],
    ['ids', idList({ ...described, maximum: 3 }), ['3,1', ' 2 ,1'], [3n, 1n, 2n]],
    ['ids with a trailing comma', idList({ ...described, maximum: 3 }), ['3,1,', '2, ,'], [3n, 1n, 2n]],
    ['locales', locales(described), ['en_gb,es', 'en-GB'], ['en-GB', 'es']],
    ['locales with a trailing comma', locales(described), ['en,'], ['en']],
    ['choices with a trailing comma', choices(['SOLO', 'NONE'], described), ['solo,none, '], ['SOLO', 'NONE']],
    [
      'a long locale',
      locales(described),
      [' en-abcdefgh-bcdefghi-cdefghij-defgh '],
      ['en-abcdefgh-bcdefghi-cdefghij-defgh'],
    ],
    ['a locale or a keyword', localeOr(['primary'], described), ['PRIMARY'], 'primary'],
    ['a default', withDefault(whole, 5), [], 5],
    ['a value instead of the default', withDefault(whole, 5), ['6'], 6],
    ['required and sent', required(whole), ['6'], 6],
  ]
  it.each(rows)('%s', (_name, param, values, expected) => expect(read(param, ...values)).toEqual(expected))
})

describe('invalid values', () => {
  const whole = integer({ ...described, minimum: 1, maximum: 20 })
  const ratio = decimal({ ...described, minimum: -90, maximum: 90 })
  const rows: [param: Param<unknown>, values: string[], offending: string | undefined][] = [
    ...['0', '21', '-1', '1.5', '1e1', '', ' ', 'x', 'NaN', 'Infinity', '0x1', '1,0', '٣', '99999999999999999'].map(
      (value): [Param<unknown>, string[], string] => [whole, [value], value],
    ),
    ...['90.01', '-91', 'NaN', 'Infinity', '-Infinity', '1e2', '1e999', '', '.', '0x1', '1,5'].map(
      (value): [Param<unknown>, string[], string] => [ratio, [value], value],
    ),
    ...['e1', '1e', '1e+', '1e1.5', '1e1e1', '1e--1', '1 e1', '1e  1', '1e0x1', `9${'0'.repeat(5000)}`, '٣e1'].map(
      (value): [Param<unknown>, string[], string] => [ratio, [value], value],
    ),
    [choice(['a,b'], { ...described, synonyms: { a: 'a,b' } }), ['b'], 'b'],
    [choice(['a,b'], { ...described, synonyms: { a: 'a,b' } }), ['constructor'], 'constructor'],
    [whole, ['1', '2'], '2'],
    [whole, ['1', ''], ''],
    [choice(['SOLO'], described), ['X'], 'X'],
    [choice(['SOLO'], described), [''], ''],
    ...[
      '2026-02-31',
      '2026-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-01-31T24:01:00Z',
      '2026-01-31T25:00:00Z',
      '20260131',
      '31.01.2026',
      'now',
      '',
      '1767225600',
      '2026-01-31T12:00:00+99:00',
      '+002026-01-31',
      '2026-01-31Z',
    ].map((value): [Param<unknown>, string[], string] => [instant(described), [value], value]),
    [id(described), ['0'], '0'],
    [idList({ ...described, maximum: 3 }), [], undefined],
    [idList({ ...described, maximum: 3 }), ['1,,2'], ''],
    [idList({ ...described, maximum: 3 }), [',1'], ''],
    [idList({ ...described, maximum: 3 }), [',,,'], ''],
    [idList({ ...described, maximum: 3 }), ['1,', ''], ''],
    [idList({ ...described, maximum: 3 }), ['1;'], '1;'],
    [id(described), ['1e1'], '1e1'],
    [id(described), ['1,'], '1,'],
    [idList({ ...described, maximum: 3 }), ['1,2', '3,4'], undefined],
    [locales(described), ['en,x'], 'x'],
    [locales(described), [`en-x-${'a-'.repeat(4000)}a`], `en-x-${'a-'.repeat(4000)}a`],
    [
      locales(described),
      [Array.from({ length: 21 }, (_, i) => `a${String.fromCharCode(97 + i)}`).join(',')],
      undefined,
    ],
    [localeOr(['primary'], described), ['second'], 'second'],
    [required(whole), [], undefined],
    [withDefault(whole, 5), ['0'], '0'],
  ]
  it.each(rows)('%# %o', (param, values, offending) => {
    const invalid = read(param, ...values)
    expect(invalid).toBeInstanceOf(InvalidParameter)
    expect((invalid as InvalidParameter).value).toBe(offending)
  })
})
