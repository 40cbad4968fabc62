import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { findConfigErrors } from '../src/compose/configuration.ts'
import { toEnvironmentName } from '../src/config/environment.ts'
import { type InvalidConfig, type LoadedConfig, loadConfig } from '../src/config/load.ts'
import { listSettingPaths } from '../src/config/setting.ts'
import { periplus } from './cli.ts'
import { scratch } from './world.ts'

const folder = scratch()
afterAll(folder.remove)
const path = join(folder.path, 'periplus.yaml')

const load = (text: string, env: Record<string, string> = {}, flags = {}): LoadedConfig => {
  writeFileSync(path, text)
  return loadConfig({ file: path, defaultFile: '', env, flags, check: findConfigErrors })
}

/** Returns the configuration errors, with the file's folder removed. */
const errors = (text: string, env?: Record<string, string>): readonly string[] => {
  try {
    load(text, env)
    return []
  } catch (error) {
    return (error as InvalidConfig).errors.map(error => error.replaceAll(path, 'periplus.yaml'))
  }
}

const contract = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../contract/${name}`, import.meta.url)), 'utf8')

/** Returns the settings of a node that shares limits. */
const cluster = (shared: string, server = 'publicUrl: https://places.example.org') =>
  `store: postgres://db.internal/periplus\nlimits: {shared: "${shared}", whenDown: refuse}\nserver: {${server}}\nblobs: /srv/blobs\n`

const good = [
  '',
  '# nothing but a comment\n',
  'data: ./x\n',
  'server: {port: 0, host: "::", publicUrl: https://a.example/b, logLevel: silent, adminPort: 9091}\n',
  'server: {}\n',
  'packages: {growth: {rate: 0.5, quota: unlimited}, transform: {quota: 7, permissions: []}}\n',
  'versions: {"2": {status: stable}, 1: {deprecated: 2027-01-01, sunset: 2028-01-02T00:00:00Z}}\n',
  'endpoints: {listReviews: {deprecated: 2027-01-01, successor: /locations/search}}\n',
  'meters: {getLocations: {meter: call, weight: 0}, listReviews: {meter: none}}\n',
  'cors: {origins: ["*", https://app.example, "http://localhost:3000", "capacitor://localhost"]}\n',
  'search: {quota: unlimited, countsTowardPackage: true}\n',
  'store: postgres://periplus@db.internal/periplus\n',
  cluster('valkeys://limits@a.internal:26380,b.internal/places'),
  cluster('postgres'),
  'store: postgres://db.internal/periplus\nblobs: s3://periplus/eu?endpoint=https://s3.internal\n',
  'store: postgres://db.internal/periplus\nblobs: /srv/blobs\n',
]

const bad: readonly (readonly [text: string, ...errors: string[]])[] = [
  [
    'store: mysql://a:secret@b/c\n',
    'store (periplus.yaml line 1): expected text such as folder or postgres://periplus@db.internal/periplus, ' +
      'found "mysql://a:***@b/c".',
  ],
  [
    'store: postgres://db.internal\n',
    'store (periplus.yaml line 1): expected text such as folder or postgres://periplus@db.internal/periplus, ' +
      'found "postgres://db.internal".',
  ],
  ['server: {port: 99999}\n', 'server.port (periplus.yaml line 1): expected an integer from 0 to 65535, found 99999.'],
  [
    'server:\n  port: "8080"\n',
    'server.port (periplus.yaml line 2): expected an integer from 0 to 65535, found "8080".',
  ],
  ['server:\n  port:\n', 'server.port (periplus.yaml line 2): expected an integer from 0 to 65535, found no value.'],
  ['server: 8080\n', 'server (periplus.yaml line 1): expected a group of settings, found 8080.'],
  ['server:\n', 'server (periplus.yaml line 1): expected a group of settings, found no value.'],
  ['server: {prot: 1}\n', 'server.prot (periplus.yaml line 1): unknown setting; did you mean server.port?'],
  [
    'server: {public_url: "http://a"}\n',
    'server.public_url (periplus.yaml line 1): unknown setting; did you mean server.publicUrl?',
  ],
  ['data: ""\n', 'data (periplus.yaml line 1): expected text, found "".'],
  ['port: 8080\n', 'port (periplus.yaml line 1): unknown setting; did you mean server.port?'],
  ['sevrer: {}\n', 'sevrer (periplus.yaml line 1): unknown setting; did you mean server?'],
  ['zzzzzz: 1\n', 'zzzzzz (periplus.yaml line 1): unknown setting; run `periplus config print` to see all settings.'],
  ['__proto__: {a: 1}\n', '__proto__ (periplus.yaml line 1): unknown setting; did you mean photos?'],
  [
    'server: {logLevel: loud}\n',
    'server.logLevel (periplus.yaml line 1): expected one of debug, info, warn, error, silent, found "loud".',
  ],
  [
    'server: {publicUrl: places.example}\n',
    'server.publicUrl (periplus.yaml line 1): expected text such as https://places.example.org, found "places.example".',
  ],
  [
    'packages: {growth: {quota: lots}}\n',
    'packages.growth.quota (periplus.yaml line 1): expected an integer of at least 1 or unlimited, found "lots".',
  ],
  [
    'packages: {growth: {rate: 0}}\n',
    'packages.growth.rate (periplus.yaml line 1): expected a number greater than 0 and at most 1000000, found 0.',
  ],
  [
    'packages:\n  growth:\n    permissions:\n      - locations\n      - fedes\n',
    'packages.growth.permissions.1 (periplus.yaml line 5): expected one of locations, reviews, recommendations, feeds, found "fedes".',
  ],
  [
    'packages: {gold: {rate: 1}}\n',
    'packages.gold (periplus.yaml line 1): unknown setting; run `periplus config print` to see all settings.',
  ],
  [
    'cors: {origins: https://a.example}\n',
    'cors.origins (periplus.yaml line 1): expected a list in [ ], each item text such as https://app.example or *, found "https://a.example".',
  ],
  [
    'cors: {origins: ["https://a.example/"]}\n',
    'cors.origins.0 (periplus.yaml line 1): expected text such as https://app.example or *, found "https://a.example/".',
  ],
  ['meters: {getLocation: {weight: 2}}\n', 'meters.getLocation.meter (periplus.yaml line 1): required, but missing.'],
  ['keys: {inQuery: 1}\n', 'keys.inQuery (periplus.yaml line 1): expected true or false, found 1.'],
  ['keys: {inQuery: yes}\n', 'keys.inQuery (periplus.yaml line 1): expected true or false, found "yes".'],
  ['search: {burst: 1.5}\n', 'search.burst (periplus.yaml line 1): expected an integer of at least 1, found 1.5.'],
]

/** Invalid files that the JSON schema alone cannot detect. */
const badBeyondSchema: readonly (readonly [text: string, ...errors: string[]])[] = [
  ['server: {port: 1}\nserver: {port: 2}\n', 'periplus.yaml line 2: Map keys must be unique.'],
  ['- a\n', 'periplus.yaml: a configuration file must be a map of sections, such as "server:".'],
  ['versions: {"9": {status: stable}}\n', expect.stringMatching(/^versions\.9 \(periplus\.yaml line 1\): /)],
]

describe('errors name the line', () => {
  test.each([...bad, ...badBeyondSchema])('%j', (text, ...expected) => expect(errors(text)).toEqual(expected))

  test('reports all errors at once', () => {
    const lines = Array.from({ length: 60 }, (_, i) => `  wrong${i}: ${i}\n`).join('')
    const found = errors(`server:\n${lines}  port: x\n  port: 1\nlimits: {penaltyGraceMs: -1}\n`, {
      PERIPLUS_CACHE_LOCATIONS: 'many',
      PERIPLUS_CORS_ORIGINS: '[a',
      PERIPLUS_SERVER_PRT: '1',
    })
    expect(found).toHaveLength(60 + 1 + 1 + 3)
    for (let i = 0; i < 60; i++)
      expect(found).toContainEqual(expect.stringContaining(`server.wrong${i} (periplus.yaml line ${i + 2})`))
  })

  test('reports a syntax error with its line, along with errors in the environment', () => {
    const found = errors('server:\n  port: [1\nlimits: {}\n', { PERIPLUS_SERVER_PORT: 'x' })
    expect(found.filter(text => /^periplus\.yaml line [234]: /.test(text)).length).toBeGreaterThan(0)
    expect(found).toContain('server.port (env PERIPLUS_SERVER_PORT): expected an integer from 0 to 65535, found "x".')
  })

  test('rejects a file that does not exist', () => {
    expect(() => loadConfig({ file: '/nowhere.yaml', defaultFile: '', env: {}, flags: {} })).toThrow(/Cannot read/)
  })
})

describe('the environment', () => {
  test('reads strings verbatim and other values as YAML; overrides the file; is overridden by flags', () => {
    const env = {
      PERIPLUS_DATA: '007',
      PERIPLUS_SERVER_HOST: '::1',
      PERIPLUS_SERVER_PORT: '81',
      PERIPLUS_SERVER_ADMIN_PORT: '',
      PERIPLUS_SERVER_LOG_LEVEL: 'warn',
      PERIPLUS_CORS_ORIGINS: '[https://a.example]',
      PERIPLUS_VERSIONS: '{"2": {status: stable}}',
    }
    const { config, sources } = load('server: {port: 80, host: a}\n', env, { 'server.port': 82 })
    expect(config).toMatchObject({ data: '007', server: { host: '::1', port: 82, logLevel: 'warn' } })
    expect(config.server.adminPort).toBeUndefined()
    expect(config.cors.origins).toEqual(['https://a.example'])
    expect(config.versions).toEqual({ 2: { status: 'stable' } })
    expect([sources.get('server.port'), sources.get('server.host'), sources.get('data')]).toEqual([
      'flag',
      'env PERIPLUS_SERVER_HOST',
      'env PERIPLUS_DATA',
    ])
  })

  test.each([
    [{ PERIPLUS_SERVER_PRT: '1' }, ['env PERIPLUS_SERVER_PRT: unknown setting; did you mean PERIPLUS_SERVER_PORT?']],
    [{ PERIPLUS_LIMITS_XYZXYZXYZ: '1' }, ['env PERIPLUS_LIMITS_XYZXYZXYZ: unknown setting.']],
    [
      { PERIPLUS_SEARCH_COUNTS_TOWARD_PACKAGE: 'maybe' },
      [
        'search.countsTowardPackage (env PERIPLUS_SEARCH_COUNTS_TOWARD_PACKAGE): expected true or false, found "maybe".',
      ],
    ],
    // Kubernetes sets these for services that are named periplus and periplus-server.
    [
      {
        PERIPLUS_SERVICE_HOST: 'a',
        PERIPLUS_PORT: 'tcp://a:1',
        PERIPLUS_SERVER_SERVICE_HOST: 'a',
        PERIPLUS_SERVER_PORT_80_TCP_ADDR: 'a',
      },
      [],
    ],
    [{ PERIPLUS_DEBUG: '1', OTHER: 'x' }, []],
  ])('%j', (env, expected) => expect(errors('', env as Record<string, string>)).toEqual(expected))

  test('has a unique variable name for each setting', () => {
    expect(new Set(listSettingPaths().map(toEnvironmentName)).size).toBe(listSettingPaths().length)
  })
})

describe('the documents in contract/', () => {
  const validate = new Ajv2020({ strict: true, allErrors: true }).compile(JSON.parse(contract('config.schema.json')))

  test.each(good)('the schema and the loader both accept %j', text => {
    expect(errors(text)).toEqual([])
    expect(validate(parse(text) ?? {})).toBe(true)
  })

  test.each(bad)('the schema and the loader both reject %j', text => {
    expect(errors(text)).not.toEqual([])
    expect(validate(parse(text))).toBe(false)
  })

  test('the example lists every setting with its default', () => {
    const example = contract('periplus.example.yaml')
    expect(validate(parse(example))).toBe(true)
    expect(load(example).config).toEqual(load('').config)
    const perOperation = /^(meters|endpoints)\./
    const maps = ['versions', 'import.categoryMap']
    for (const name of listSettingPaths().filter(one => !perOperation.test(one))) {
      const last = name.split('.').at(-1)!
      expect(example).toMatch(new RegExp(`^ *(# )?${last}:`, 'm'))
      if (!maps.includes(name)) expect(example).toContain(`[${toEnvironmentName(name)}]`)
    }
  })

  test('every setting has a description', () => {
    const { properties } = JSON.parse(contract('config.schema.json'))
    const undescribed = (node: { properties?: object; description?: string }, name: string): string[] => [
      ...(node.description === undefined && !/^(meters|endpoints)\.\w+$/.test(name) ? [name] : []),
      ...Object.entries(node.properties ?? {}).flatMap(([child, one]) => undescribed(one, `${name}.${child}`)),
    ]
    expect(Object.entries<object>(properties).flatMap(([name, node]) => undescribed(node, name))).toEqual([])
  })
})

test('the URL of a database must be one', () => {
  expect(errors('storeReplicas: ["postgres://replica/periplus"]\n')).toEqual([
    'storeReplicas (periplus.yaml line 1): requires the URL of a database in store, but the stores are files.',
  ])
  expect(errors('store: postgres://db.internal:99999/periplus\n')).toEqual([
    'store (periplus.yaml line 1): not a valid URL; expected one such as postgres://periplus@db.internal/periplus.',
  ])
  const errorsOf = (parameters: string) => errors(`store: postgres://db.internal/periplus?${parameters}\n`)
  expect(errorsOf('sslmode=verify-full')).toEqual([])
  expect(errorsOf('sslmode=require')).toEqual([expect.stringContaining(': sslmode must be verify-full (')])
  expect(errorsOf('sslrootcert=/missing.pem')).toEqual([
    'store (periplus.yaml line 1): the file /missing.pem cannot be read; expected certificates or a key in PEM.',
  ])
  expect(errorsOf('password=geheim')).toEqual([
    'store (periplus.yaml line 1): the password must not be a parameter; it comes from PGPASSWORD or the pass file.',
  ])
})

test('shared limits need a database, an address and blobs of all nodes, and one thread', () => {
  expect(errors('limits: {shared: "valkey://cache"}\nserver: {threads: 2}\n')).toEqual([
    'limits.shared (periplus.yaml line 1): needs a database; set store to the URL of a PostgreSQL database.',
    'server.publicUrl (periplus.yaml line 2): required with limits.shared: the address of all nodes for partners.',
    'blobs: required with limits.shared: the place of feeds, indexes and journals of all nodes.',
    'server.threads (periplus.yaml line 2): must be 1 with limits.shared; start more nodes instead.',
  ])
  expect(errors(cluster('valky://a'))).toEqual([
    'limits.shared (periplus.yaml line 2): expected text such as valkeys://cache.internal:6380 or postgres, found "valky://a".',
  ])
  expect(errors(cluster('valkey://a,b'))).toEqual([
    'limits.shared (periplus.yaml line 2): Several hosts are Sentinels; name their primary, as in ' +
      'valkey://a:26379,b:26379/name.',
  ])
})

test('blobs need an address without credentials, and a database', () => {
  const withStore = (blobs: string) => errors(`store: postgres://db.internal/periplus\nblobs: ${blobs}\n`)
  expect(withStore('s3://user:geheim@periplus')).toEqual([
    'blobs (periplus.yaml line 2): The address must have no user and no password: credentials come from the environment, as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  ])
  expect(withStore('https://s3.internal/bucket')).toEqual([expect.stringContaining('or look like s3://bucket/prefix')])
  expect(withStore('s3:/periplus')).toEqual(withStore('https://s3.internal/bucket'))
  expect(errors('blobs: /srv/blobs\n')).toEqual([
    'blobs (periplus.yaml line 1): requires a database as the store, because one node alone uses a data folder.',
  ])
})

test('config print shows the URLs of a database and a cache without their passwords', async () => {
  const env = {
    PERIPLUS_STORE: 'postgres://periplus:ganz@geheim@db.internal/periplus',
    PERIPLUS_LIMITS_SHARED: 'valkey://:geheim@cache.internal',
    PERIPLUS_BLOBS: '/srv/blobs',
    PERIPLUS_SERVER_PUBLIC_URL: 'https://places.example.org',
  }
  const { stdout } = await periplus(['config', 'print', '--data', folder.path], { env })
  expect(stdout).toContain('"postgres://periplus:***@db.internal/periplus"')
  expect(stdout).toContain('"valkey://:***@cache.internal"')
  expect(stdout).not.toContain('geheim')
})

test('config check exits with 2 and names all errors; config print shows the source of a value', async () => {
  writeFileSync(path, 'server: {prt: 1}\nlimits: {penaltyGraceMs: x}\n')
  const checked = await periplus(['config', 'check', '--config', path], { env: { PERIPLUS_CACHE_LOCATIONS: '0' } })
  expect(checked.code).toBe(2)
  expect(checked.stderr.trim().split('\n')).toHaveLength(3)
  writeFileSync(path, '\nserver: {port: 81}\n')
  const printed = await periplus(['config', 'print', '--config', path, '--json'])
  expect(printed.json<{ settings: object[] }>().settings).toContainEqual({
    setting: 'server.port',
    value: 81,
    source: `${path} line 2`,
  })
})
