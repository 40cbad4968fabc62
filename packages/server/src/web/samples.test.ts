import { describe, expect, test } from 'vitest'
import { callSamples, callUrl } from './samples.ts'

const publicUrl = 'https://places.example/base'
const hostile = `"it's" $(x) \`y\` \${z} \\ ! & ? # % é 日本`

const codeOf = (label: string, ...[call]: Parameters<typeof callSamples>) =>
  callSamples(call).find(sample => sample.label === label)!.code

describe('code samples of a call', () => {
  test('curl has the address as it is sent', () => {
    const call = { publicUrl, path: '/locations', query: { ids: '1,2,3', version: '1' } }
    expect(codeOf('curl', call)).toBe(
      'curl -H "X-API-Key: $PERIPLUS_KEY" \\\n  "https://places.example/base/locations?ids=1,2,3&version=1"',
    )
  })

  test('the address carries every value, and nothing that a shell expands', () => {
    const url = callUrl({ publicUrl, path: '/locations/search', query: { query: hostile, version: '1' } })
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({ query: hostile, version: '1' })
    expect(url).not.toMatch(/[$`"'\\!\s]/)
  })

  test('the TypeScript sample sends the call', async () => {
    const code = codeOf('TypeScript', { publicUrl, path: '/locations/search', query: { query: hostile, 'a-b': '1' } })
    const sent: [string, RequestInit][] = []
    const fetchStub = async (...call: [string, RequestInit]) => {
      sent.push(call)
      return Response.json({ data: [] })
    }
    const printed: unknown[] = []
    const body = code.replace('process.env.PERIPLUS_KEY!', '"secret"')
    const run = new Function('fetch', 'console', `return (async () => { ${body} })()`)
    await run(fetchStub, { log: (value: unknown) => printed.push(value) })
    expect(sent.map(([url]) => Object.fromEntries(new URL(url).searchParams))).toEqual([{ query: hostile, 'a-b': '1' }])
    expect(sent[0]![1].headers).toEqual({ 'X-API-Key': 'secret' })
    expect(printed).toEqual([{ data: [] }])
  })

  test('all samples send a body', async () => {
    const body = [{ name: `L'Été "à" Paris`, lat: 48.8 }]
    const call = { publicUrl, path: '/locations/match', body }
    expect(codeOf('curl', call)).toBe(
      `curl -H "X-API-Key: $PERIPLUS_KEY" \\\n  -H "Content-Type: application/json" \\\n  -d '[{"name":"L'\\''Été \\"à\\" Paris","lat":48.8}]' \\\n  "https://places.example/base/locations/match"`,
    )
    const sent: RequestInit[] = []
    const code = codeOf('TypeScript', call).replace('process.env.PERIPLUS_KEY!', '"secret"')
    const run = new Function('fetch', 'console', `return (async () => { ${code} })()`)
    const fetchStub = async (_: string, init: RequestInit) => {
      sent.push(init)
      return Response.json({})
    }
    await run(fetchStub, { log: () => undefined })
    expect(sent).toMatchObject([{ method: 'POST', body: JSON.stringify(body) }])
    expect(codeOf('Python', call)).toContain('    json=[\n        {\n            "name": "L\'Été \\"à\\" Paris",\n')
    expect(codeOf('Go', call)).toContain('http.NewRequest("POST", "https://places.example/base/locations/match", body)')
  })

  test('Python and Go quote values and align as their formatters do', () => {
    const call = { publicUrl, path: '/locations/search', query: { query: '"a"', near: '1,2' } }
    expect(codeOf('Python', call)).toContain(
      '    params={\n        "query": "\\"a\\"",\n        "near": "1,2",\n    },\n',
    )
    expect(codeOf('Go', call)).toContain('\t\t"query": {"\\"a\\""},\n\t\t"near":  {"1,2"},\n')
  })

  test('without parameters, no sample mentions a query', () => {
    for (const { code } of callSamples({ publicUrl, path: '/account' }))
      expect(code).not.toMatch(/\?["'`]|param|query|net\/url/)
  })

  test('a file is written to disk', () => {
    const call = { publicUrl, path: '/feeds/geos/snapshots/1/files/a.zst', file: 'a.zst' }
    for (const { code } of callSamples(call)) expect(code).toMatch(/-o a\.zst|["']a\.zst["']/)
  })
})
