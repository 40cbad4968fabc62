import { describe, expect, it } from 'vitest'
import { chooseCoding, findCachedCoding, parseAcceptEncoding, toCodedEtag } from './coding.ts'

describe('Accept-Encoding (RFC 9110 §12.5.3)', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['BR', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['gzip;q=0.5, br;q=0.4, identity', 'identity'],
    ['deflate, zstd', 'identity'],
    ['*', 'br'],
    ['*;q=0.1, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['identity;q=0', 'identity'],
    ['identity;q=0, gzip', 'gzip'],
    ['*;q=0', 'identity'],
    ['*;q=0, br', 'br'],
    ['gzip;q=0', 'identity'],
    ['gzip;q=nonsense', 'identity'],
    [', ,;q=1,=', 'identity'],
  ])('%j: %s', (header, coding) => expect(chooseCoding(parseAcceptEncoding(header), 5000)).toBe(coding))

  it.each([
    ['gzip', 1023, 'identity'],
    ['gzip', 1024, 'gzip'],
    ['gzip, identity;q=0', 10, 'gzip'],
    ['*;q=0, br', 10, 'br'],
    ['identity;q=0', 10, 'identity'],
  ])('%j with %i bytes: %s', (header, bytes, coding) =>
    expect(chooseCoding(parseAcceptEncoding(header), bytes)).toBe(coding),
  )

  it('parses distinct headers in bounded memory', () => {
    for (let i = 0; i < 10_000; i++) expect(parseAcceptEncoding(`x${i}, gzip`)[0]).toBe('gzip')
  })
})

describe('If-None-Match (R-26)', () => {
  const cached = (header: string | undefined, accept?: string) =>
    findCachedCoding(header, '"a"', parseAcceptEncoding(accept), chooseCoding(parseAcceptEncoding(accept), 5000))

  it.each([
    [undefined, undefined],
    ['', undefined],
    ['"a"', 'identity'],
    ['W/"a"', 'identity'],
    ['*', 'identity'],
    [' * ', 'identity'],
    ['"b"', undefined],
    ['"b", "a"', 'identity'],
    ['"b","c",W/"a"', 'identity'],
    ['a', undefined],
    ['"A"', undefined],
    ['"a', undefined],
    ['W/*', undefined],
    ['w/"a"', undefined],
    // Without Accept-Encoding, every coding is acceptable.
    ['"a-br"', 'br'],
    ['"a-zstd"', undefined],
  ])('%j: %s', (header, coding) => expect(cached(header)).toBe(coding))

  it.each([
    ['*', 'br', 'br'],
    ['"a-br"', 'br', 'br'],
    ['"a-gzip"', 'gzip, br', 'gzip'],
    ['"a"', 'gzip, br', 'identity'],
    ['"a", "a-gzip", "a-br"', 'gzip, br', 'br'],
    ['"a-br"', 'gzip', undefined],
    ['"a"', 'gzip, identity;q=0', undefined],
  ])('%j of a client that accepts %j: %s', (header, accept, coding) => expect(cached(header, accept)).toBe(coding))

  it('each coding has a separate validator', () => {
    expect([toCodedEtag('"a"', 'identity'), toCodedEtag('"a"', 'gzip'), toCodedEtag('"a"', 'br')]).toEqual([
      '"a"',
      '"a-gzip"',
      '"a-br"',
    ])
  })
})
