import { describe, expect, it } from 'vitest'
import { readSecret } from './credentials.ts'

describe('the key of a request (R-01)', () => {
  it.each([
    ['header', { 'x-api-key': ' a ' }, {}, true, 'a'],
    ['header over all', { 'x-api-key': 'a', authorization: 'Bearer b' }, { key: 'c' }, true, 'a'],
    ['bearer over the query', { authorization: 'Bearer b' }, { key: 'c' }, true, 'b'],
    ['bearer in any case', { authorization: 'BEARER   b ' }, {}, false, 'b'],
    ['another scheme', { authorization: 'Basic b' }, {}, false, undefined],
    ['bearer with nothing', { authorization: 'Bearer ' }, {}, false, undefined],
    ['key over api_key', {}, { api_key: 'd', key: 'c' }, true, 'c'],
    ['api_key', {}, { api_key: 'd' }, true, 'd'],
    ['the first of several', {}, { key: ['c', 'd'] }, true, 'c'],
    ['a query that does not count', {}, { key: 'c' }, false, undefined],
    ['nothing', {}, {}, true, undefined],
  ])('%s', (_name, headers, query, inQuery, secret) => expect(readSecret(headers, query, inQuery)).toBe(secret))
})
