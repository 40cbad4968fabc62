import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const src = fileURLToPath(new URL('../src', import.meta.url))

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map(file => file.replaceAll('\\', '/'))
  // Tests and their helpers may import everything.
  // Scripts of pages run in browsers.
  .filter(file => file.endsWith('.ts') && !/\.(test|fixture|model)\.ts$/.test(file) && !file.startsWith('web/islands/'))

/** Returns the project files that a file imports, as paths from src; includes type imports and re-exports. */
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

/** Folders that import only the domain and the kit, and never one another (ARCHITECTURE.md). */
const isolated = ['access', 'versions', 'usage', 'packed', 'store', 'gazetteer']
/** Folders that also import the gazetteer. */
const located = ['search', 'ingest']
const foundation = ['domain', 'kit']

/** The folders that each folder may import in addition to itself. Every folder must be listed. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  domain: ['kit'],
  ...Object.fromEntries(isolated.map(folder => [folder, foundation])),
  ...Object.fromEntries(located.map(folder => [folder, [...foundation, 'gazetteer']])),
  feeds: [...foundation, 'versions'],
  identity: foundation,
  match: foundation,
  usecases: [...foundation, 'identity', 'match'],
  resources: [...foundation, 'access'],
  web: foundation,
  events: foundation,
  delivery: [...foundation, 'events'],
  photos: foundation,
  config: foundation,
  limits: [...foundation, 'access'],
  http: [...foundation, 'access', 'limits', 'versions', 'usecases', 'resources', 'web'],
  management: [...foundation, 'access', 'identity', 'events', 'resources', 'usecases', 'versions', 'web'],
  cli: [...foundation, 'config', 'usecases', 'resources', 'web', 'compose'],
}

/** Subfolders of search/, ordered by dependency: each imports only earlier ones. */
const searchFolders = ['text', 'index', 'query', 'reviews', 'recommend', 'keep']

/** The subfolders of http/ that each subfolder may import in addition to itself. */
const httpFolders: Readonly<Record<string, readonly string[]>> = {
  wire: [],
  partner: ['wire'],
  account: ['wire', 'partner'],
  admin: ['wire'],
  openapi: ['wire', 'partner', 'account'],
  terra: ['wire', 'partner'],
  site: ['wire', 'partner', 'openapi', 'admin'],
}

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

/** Folders that may import everything: composition, and the entry points of threads. */
const unrestricted = ['compose', 'threads']

describe('import rules (ARCHITECTURE.md)', () => {
  test('the scan finds files and their imports', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(edges).toContainEqual({ from: 'compose/serving-http.ts', to: 'http/server.ts' })
    expect(edges).toContainEqual({ from: 'domain/review.ts', to: 'domain/location.ts' })
    expect(edges.every(({ to }) => !to.startsWith('..'))).toBe(true)
  })

  test('every folder has a rule', () => {
    const folders = new Set(files.map(folderOf))
    expect([...folders].filter(folder => !(folder in mayImport) && !unrestricted.includes(folder))).toEqual([])
  })

  test.each(Object.entries(mayImport))('%s imports only itself and [%s]', (folder, others) => {
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

  test('only compose and threads import store, and nothing outside store imports its engines', () => {
    const wrong = edges.filter(({ from, to }) => {
      if (folderOf(to) !== 'store' || folderOf(from) === 'store') return false
      return /^store\/(sqlite|postgres)\//.test(to) || !['compose', 'threads'].includes(folderOf(from))
    })
    expect(wrong).toEqual([])
  })

  test.each(['sqlite', 'postgres', 'valkey'])('in store, only engine.ts and moves import the engine %s', engine => {
    const wrong = edges.filter(
      ({ from, to }) =>
        from.startsWith('store/') &&
        !from.startsWith(`store/${engine}/`) &&
        to.startsWith(`store/${engine}/`) &&
        !['store/engine.ts', 'store/move-to-database.ts', 'store/move-to-folder.ts'].includes(from),
    )
    expect(wrong).toEqual([])
  })

  test('store/rows imports only itself, store/sql, domain and kit', () => {
    const others = edges.filter(
      ({ from, to }) =>
        from.startsWith('store/rows/') && !/^store\/(rows|sql)\//.test(to) && !foundation.includes(folderOf(to)),
    )
    expect(others).toEqual([])
  })

  test('store/sql imports only itself, domain and kit', () => {
    const others = edges.filter(
      ({ from, to }) =>
        from.startsWith('store/sql/') && !to.startsWith('store/sql/') && !foundation.includes(folderOf(to)),
    )
    expect(others).toEqual([])
  })

  test('store/blobs imports only itself, domain and kit, and loads the client of S3 with the first S3 store', () => {
    const others = edges.filter(
      ({ from, to }) =>
        from.startsWith('store/blobs/') && !to.startsWith('store/blobs/') && !foundation.includes(folderOf(to)),
    )
    expect(others).toEqual([])
    const matching = (pattern: RegExp) => files.filter(file => pattern.test(readFileSync(join(src, file), 'utf8')))
    expect(matching(/import\('@aws-sdk/)).toEqual(['store/blobs/s3.ts'])
    expect(matching(/^import (?!type)[^'\n]*from '@aws-sdk/m)).toEqual([])
  })

  test('values of node:http come from kit/http.ts', () => {
    const imports = /^import (?!type)[^'\n]*from 'node:http'|import\('node:http'\)/m
    expect(files.filter(file => imports.test(readFileSync(join(src, file), 'utf8')))).toEqual([])
  })

  test('nothing imports cli', () => {
    expect(edges.filter(({ from, to }) => folderOf(to) === 'cli' && folderOf(from) !== 'cli')).toEqual([])
  })

  test('a version imports domain, kit, the primitives and version.ts, but no other version', () => {
    const versionOf = (path: string) => /^versions\/(v\d+|beta|terra)\//.exec(path)?.[1]
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
        ...(version === 'terra' ? ['versions/lifecycle.ts', 'versions/registry.ts'] : []),
      ]
      return to !== 'versions/version.ts' && !allowed.some(prefix => to.startsWith(prefix))
    })
    expect(wrong).toEqual([])
  })

  test.each(searchFolders)('search/%s imports no later subfolder of search', subfolder => {
    const subfolderOf = (path: string) => /^search\/([^/]+)\//.exec(path)?.[1] ?? ''
    const later = searchFolders.slice(searchFolders.indexOf(subfolder) + 1)
    expect(edges.filter(({ from, to }) => subfolderOf(from) === subfolder && later.includes(subfolderOf(to)))).toEqual(
      [],
    )
  })

  test('every file of search is in a listed subfolder', () => {
    const subfolders = new Set(files.filter(file => folderOf(file) === 'search').map(file => file.split('/')[1]))
    expect([...subfolders].sort()).toEqual([...searchFolders].sort())
  })

  test.each(Object.entries(httpFolders))('http/%s imports only itself and [%s]', (subfolder, others) => {
    const subfolderOf = (path: string) => /^http\/([^/]+)\//.exec(path)?.[1]
    const wrong = edges.filter(
      ({ from, to }) =>
        subfolderOf(from) === subfolder &&
        folderOf(to) === 'http' &&
        ![subfolder, ...others].includes(subfolderOf(to) ?? ''),
    )
    expect(wrong).toEqual([])
  })

  test('http/site imports only the route table of http/partner', () => {
    const seen = edges.filter(({ from, to }) => from.startsWith('http/site/') && to.startsWith('http/partner/'))
    expect([...new Set(seen.map(({ to }) => to))]).toEqual(['http/partner/routes.ts'])
  })

  test('no import circles exist, neither of values nor of types', () => {
    const graph = Map.groupBy(edges, ({ from }) => from)
    const circles = circlesOf(new Map([...graph].map(([from, all]) => [from, all.map(({ to }) => to)])))
    expect(circles).toEqual([])
  })

  test('the circle search finds circles', () => {
    const graph = new Map([
      ['a', ['b', 'd']],
      ['b', ['c']],
      ['c', ['a', 'd']],
      ['d', ['e']],
      ['f', ['f']],
    ])
    expect(circlesOf(graph)).toEqual([['a', 'b', 'c'], ['f']])
  })

  test('five files know the PostgreSQL driver, and none loads it before its first use', () => {
    const matching = (pattern: RegExp) => files.filter(file => pattern.test(readFileSync(join(src, file), 'utf8')))
    const known = [
      'ingest/postgres/client.ts',
      'ingest/postgres/source.ts',
      'store/postgres/driver.ts',
      'store/postgres/pool.ts',
      'store/postgres/session.ts',
    ]
    expect(matching(/(from |require\()'pg(-copy-streams)?'/).sort()).toEqual(known)
    expect(matching(/^import (?!type)[^'\n]*from 'pg(-copy-streams)?'/m)).toEqual([])
  })

  test('one file knows the SQLite driver and its errors', () => {
    const knowing = files.filter(file =>
      /from '(better-sqlite3|node:sqlite)'|\bSQLITE_(?!TMPDIR)/.test(readFileSync(join(src, file), 'utf8')),
    )
    expect(knowing).toEqual(['store/connection.ts'])
  })

  test('Typebox and YAML, which are slow to load, are known to one file of the kit each', () => {
    const importing = (library: RegExp) => files.filter(file => library.test(readFileSync(join(src, file), 'utf8')))
    expect(importing(/from 'typebox/)).toEqual(['kit/json-schema.ts'])
    expect(importing(/from 'yaml'|require\('yaml'\)/)).toEqual(['kit/yaml.ts'])
  })

  /**
   * Returns the files of a folder that use the platform: its modules, clocks, timers, randomness, network or process.
   */
  const impureIn = (folder: string) =>
    files.filter(file => folderOf(file) === folder && platform.test(readFileSync(join(src, file), 'utf8')))

  test('domain uses no module of the platform, clock, timer, randomness, network or process', () => {
    expect(impureIn('domain')).toEqual([])
  })

  test('kit uses the platform only in the files that wrap it', () => {
    expect(impureIn('kit')).toEqual(wrappers.map(name => `kit/${name}.ts`))
  })
})

const platform =
  /from 'node:|\bDate\.now\(|\bnew Date\(\)|\bTemporal\.Now\b|\bperformance\.|\bset(Timeout|Interval|Immediate)\(|\bMath\.random\(|\bcrypto\.|\bfetch\(|\bprocess\.\w+[.(]/

const wrappers = [
  'bundled',
  'checked-file',
  'clock',
  'draft-file',
  'file-mark',
  'free-space',
  'http',
  'inside-thread',
  'log',
  'lower-priority',
  'repeat',
  'replace-file',
  'secret-box',
  'shared-table',
  'sweep',
  'text-digest',
  'thread-entry',
  'thread',
  'wait-at-most',
  'yaml',
]

test('commands reach the stores of partners and keys through use cases only', () => {
  const direct = files.filter(
    file => folderOf(file) === 'cli' && /\badmin\.(keys|mint)\b/.test(readFileSync(join(src, file), 'utf8')),
  )
  expect(direct).toEqual([])
})
