import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const src = fileURLToPath(new URL('../src', import.meta.url))

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map(file => file.replaceAll('\\', '/'))
  // Tests, and what only tests use, may see all.
  .filter(file => file.endsWith('.ts') && !/\.(test|fixture|model)\.ts$/.test(file))

/** What a file imports of the project, type imports and re-exports included, as paths from src. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(src, file), 'utf8')
  const specifiers = [
    ...text.matchAll(/^\s*(?:import|export)\b[^'"\n;]*?(?:\{[^}]*\}[^'"\n;]*)?from\s*['"]([^'"]+)['"]/gm),
    ...text.matchAll(/^\s*import\s*['"]([^'"]+)['"]/gm),
    ...text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g),
    ...text.matchAll(/new URL\(\s*['"](\.[^'"]+\.[tj]s)['"]/g),
  ].map(match => match[1]!)
  return specifiers
    .filter(specifier => specifier.startsWith('.'))
    .map(specifier => relative(src, join(src, dirname(file), specifier)).replaceAll('\\', '/'))
}

const edges = files.flatMap(file => importsOf(file).map(to => ({ from: file, to })))
const folderOf = (path: string) => (path.includes('/') ? path.split('/', 1)[0]! : path)

/** Folders that know only the domain and the kit, and never one another (ARCHITECTURE.md). */
const apart = ['access', 'versions', 'usage', 'search', 'ingest', 'store']
const foundation = ['domain', 'kit']

/** What each folder may see beside itself. A folder that is not listed is a mistake. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  domain: ['kit'],
  ...Object.fromEntries(apart.map(folder => [folder, foundation])),
  feeds: [...foundation, 'versions'],
  usecases: foundation,
  resources: [...foundation, 'access'],
  config: foundation,
  limits: [...foundation, 'access'],
  http: [...foundation, 'access', 'limits', 'versions', 'usecases'],
  cli: [...foundation, 'config', 'usecases', 'resources', 'compose'],
}

/** Rooms of search/, in the order in which they build on one another: a room imports earlier rooms only. */
const searchRooms = ['text', 'index', 'query', 'recommend', 'keep']

/** The rooms of http/ that each room may import beside itself. */
const httpRooms: Readonly<Record<string, readonly string[]>> = {
  wire: [],
  partner: ['wire'],
  admin: ['wire'],
  openapi: ['wire', 'partner'],
  site: ['wire', 'partner', 'openapi', 'admin'],
}

/**
 * Files that still import themselves through others. Remove a file here when its circle is gone; never add one: move
 * what the files of a circle share into a file of its own.
 */
const stillInCircles: readonly string[] = ['store/sqlite/migrate.ts', 'store/sqlite/open.ts']

/** Returns the circles of imports: strongly connected components of two or more files (Tarjan 1972), sorted. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const numbers = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []
  const visit = (file: string): void => {
    const number = numbers.size
    numbers.set(file, number)
    lowest.set(file, number)
    stack.push(file)
    for (const to of graph.get(file) ?? []) {
      if (!numbers.has(to)) visit(to)
      if (stack.includes(to)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(to)!))
    }
    if (lowest.get(file) !== number) return
    const circle = stack.splice(stack.indexOf(file))
    if (circle.length > 1 || graph.get(file)?.includes(file)) circles.push(circle.sort())
  }
  for (const file of graph.keys()) if (!numbers.has(file)) visit(file)
  return circles.sort((a, b) => (a.join() < b.join() ? -1 : 1))
}

/** compose/ sees all; so do the entry points of threads. */
const seesAll = ['compose', 'threads']

describe('who imports whom (ARCHITECTURE.md)', () => {
  test('there are files, and imports are found', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(edges).toContainEqual({ from: 'compose/serving-http.ts', to: 'http/server.ts' })
    expect(edges).toContainEqual({ from: 'domain/review.ts', to: 'domain/location.ts' })
    expect(edges.every(({ to }) => !to.startsWith('..'))).toBe(true)
  })

  test('every folder has its rule', () => {
    const folders = new Set(files.map(folderOf))
    expect([...folders].filter(folder => !(folder in mayImport) && !seesAll.includes(folder))).toEqual([])
  })

  test.each(Object.entries(mayImport))('%s sees itself and [%s]', (folder, others) => {
    const wrong = edges.filter(
      ({ from, to }) => folderOf(from) === folder && ![folder, ...others].includes(folderOf(to)),
    )
    expect(wrong).toEqual([])
  })

  test('only cli and the entry points of threads import compose', () => {
    expect(
      edges.filter(
        ({ from, to }) => folderOf(to) === 'compose' && !['cli', 'compose', 'threads'].includes(folderOf(from)),
      ),
    ).toEqual([])
  })

  test('only compose and threads import store, and nothing outside of store its engines', () => {
    const wrong = edges.filter(({ from, to }) => {
      if (folderOf(to) !== 'store' || folderOf(from) === 'store') return false
      return to.startsWith('store/sqlite/') || !['compose', 'threads'].includes(folderOf(from))
    })
    expect(wrong).toEqual([])
  })

  test('in store, only engine.ts imports an engine', () => {
    const wrong = edges.filter(
      ({ from, to }) =>
        from.startsWith('store/') &&
        !from.startsWith('store/sqlite/') &&
        to.startsWith('store/sqlite/') &&
        from !== 'store/engine.ts',
    )
    expect(wrong).toEqual([])
  })

  test('nothing imports cli', () => {
    expect(edges.filter(({ from, to }) => folderOf(to) === 'cli' && folderOf(from) !== 'cli')).toEqual([])
  })

  test('a version sees domain, kit, the primitives and version.ts, and no other version', () => {
    const versionOf = (path: string) => /^versions\/(v\d+|beta)\//.exec(path)?.[1]
    const stable = files
      .map(versionOf)
      .filter(version => version?.startsWith('v'))
      .sort()
      .at(-1)
    const wrong = edges.filter(({ from, to }) => {
      const version = versionOf(from)
      if (!version || foundation.includes(folderOf(to))) return false
      const allowed = [
        'versions/primitives/',
        `versions/${version}/`,
        ...(version === 'beta' ? [`versions/${stable}/`] : []),
      ]
      return to !== 'versions/version.ts' && !allowed.some(prefix => to.startsWith(prefix))
    })
    expect(wrong).toEqual([])
  })

  test.each(searchRooms)('search/%s imports no later room of search', room => {
    const roomOf = (path: string) => /^search\/([^/]+)\//.exec(path)?.[1] ?? ''
    const later = searchRooms.slice(searchRooms.indexOf(room) + 1)
    expect(edges.filter(({ from, to }) => roomOf(from) === room && later.includes(roomOf(to)))).toEqual([])
  })

  test('every file of search is in a room', () => {
    const rooms = new Set(files.filter(file => folderOf(file) === 'search').map(file => file.split('/')[1]))
    expect([...rooms].sort()).toEqual([...searchRooms].sort())
  })

  test.each(Object.entries(httpRooms))('http/%s sees itself and [%s]', (room, others) => {
    const roomOf = (path: string) => /^http\/([^/]+)\//.exec(path)?.[1]
    const wrong = edges.filter(
      ({ from, to }) =>
        roomOf(from) === room && folderOf(to) === 'http' && ![room, ...others].includes(roomOf(to) ?? ''),
    )
    expect(wrong).toEqual([])
  })

  test('http/site sees only the route table of http/partner', () => {
    const seen = edges.filter(({ from, to }) => from.startsWith('http/site/') && to.startsWith('http/partner/'))
    expect([...new Set(seen.map(({ to }) => to))]).toEqual(['http/partner/routes.ts'])
  })

  test('no file imports itself through others, by values or by types', () => {
    const graph = Map.groupBy(edges, ({ from }) => from)
    const circles = circlesOf(new Map([...graph].map(([from, all]) => [from, all.map(({ to }) => to)])))
    expect(circles.flat().sort()).toEqual(stillInCircles)
  })

  test('circles of imports are found', () => {
    const graph = new Map([
      ['a', ['b', 'd']],
      ['b', ['c']],
      ['c', ['a', 'd']],
      ['d', ['e']],
      ['f', ['f']],
    ])
    expect(circlesOf(graph)).toEqual([['a', 'b', 'c'], ['f']])
  })

  test('only store knows SQL', () => {
    const knowing = files.filter(file =>
      /from '(better-sqlite3|node:sqlite)'/.test(readFileSync(join(src, file), 'utf8')),
    )
    expect(knowing.length).toBeGreaterThan(0)
    expect(knowing.filter(file => folderOf(file) !== 'store')).toEqual([])
  })

  /** The files below a folder that use the platform: its modules, clocks, timers, randomness, network or process. */
  const impureIn = (folder: string) =>
    files.filter(file => folderOf(file) === folder && platform.test(readFileSync(join(src, file), 'utf8')))

  test('domain uses no module of the platform, clock, timer, randomness, network or process', () => {
    expect(impureIn('domain')).toEqual([])
  })

  test('kit uses them only in the files that wrap them', () => {
    expect(impureIn('kit')).toEqual(wrappers.map(name => `kit/${name}.ts`))
  })
})

const platform =
  /from 'node:|\bDate\.now\(|\bnew Date\(\)|\bTemporal\.Now\b|\bperformance\.|\bset(Timeout|Interval|Immediate)\(|\bMath\.random\(|\bcrypto\.|\bfetch\(|\bprocess\.\w+[.(]/

const wrappers = ['bundled', 'clock', 'inside-thread', 'log', 'lower-priority', 'repeat', 'sweep', 'thread']
