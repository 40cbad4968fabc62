import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { findDiskFailure, StoreFailure } from '../domain/store-errors.ts'
import { connect } from './connection.ts'

const folder = mkdtempSync(join(tmpdir(), 'periplus-connection-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Creates a store with one row; returns its path. */
function createStore(name: string, mode = 'DELETE'): string {
  const file = join(folder, name)
  const db = connect(file)
  db.pragma(`journal_mode = ${mode}`)
  db.exec('CREATE TABLE a (x TEXT); INSERT INTO a VALUES (1)')
  db.close()
  return file
}

const read = (file: string) => {
  const db = connect(file, { timeout: 0 })
  try {
    return db.prepare('SELECT x FROM a').all()
  } finally {
    db.close()
  }
}

/** Ways in which a store fails; each returns the file. */
const failures: readonly [kind: string, fail: () => string][] = [
  [
    'damaged',
    () => {
      const file = join(folder, 'garbage.sqlite')
      writeFileSync(file, 'no database '.repeat(500))
      read(file)
      return file
    },
  ],
  [
    'damaged',
    () => {
      const file = join(folder, 'folder.sqlite')
      mkdirSync(file)
      read(file)
      return file
    },
  ],
  [
    'io',
    () => {
      const file = createStore('log.sqlite', 'WAL')
      mkdirSync(`${file}-wal`)
      read(file)
      return file
    },
  ],
  [
    'missing',
    () => {
      const file = createStore('moved.sqlite')
      const db = connect(file)
      db.prepare('SELECT x FROM a').all()
      renameSync(file, `${file}.moved`)
      db.exec('INSERT INTO a VALUES (2)')
      return file
    },
  ],
  [
    'busy',
    () => {
      const file = createStore('busy.sqlite')
      const other = connect(file)
      other.exec('BEGIN EXCLUSIVE')
      read(file)
      return file
    },
  ],
]

describe('a connection', () => {
  it.each(failures)('reports a store that is %s, with its file and without the text of the driver', (kind, fail) => {
    const thrown = expect.objectContaining({
      kind,
      file: expect.stringContaining(folder),
      message: expect.stringMatching(/^\/\S+\.sqlite [^:]+(:[^:]+)?\.$/),
    })
    expect(fail).toThrow(thrown)
  })

  it('reports a failure once, whatever transactions and statements it passes', () => {
    const reported: StoreFailure[] = []
    const db = connect(createStore('text.sqlite'), { onFailure: failure => reported.push(failure) })
    const parse = db.transaction((text: string) => db.transaction(() => db.parseJson(text))())
    expect(parse('{"a":1}')).toEqual({ a: 1 })
    expect(() => parse.immediate('{"a":')).toThrow(StoreFailure)
    expect(reported).toMatchObject([{ kind: 'damaged' }])
    expect(() => db.exec('SELECT nonsense')).toThrow(/no such column/)
    expect(reported).toHaveLength(1)
    db.close()
  })

  it('ends a query whose rows are not all read', () => {
    const db = connect(createStore('rows.sqlite'))
    db.exec('INSERT INTO a VALUES (2), (3)')
    const rows = db.prepare<[], string>('SELECT x FROM a').pluck()
    for (const row of rows.iterate()) {
      expect(row).toBe('1')
      break
    }
    expect([...rows.iterate()]).toEqual(['1', '2', '3'])
    db.close()
  })
})

it.each([
  [
    { code: 'EIO', path: '/a' },
    { kind: 'io', file: '/a' },
  ],
  [
    { code: 'EDQUOT', path: '/a', dest: '/b' },
    { kind: 'disk_full', file: '/b' },
  ],
  [
    { code: 'ENFILE', path: '/a' },
    { kind: 'descriptors', file: '/a' },
  ],
  [
    { code: 'ENOENT', syscall: 'mkdir', path: '/a' },
    { kind: 'read_only', file: '/a' },
  ],
  [{ code: 'ENOENT', syscall: 'open', path: '/a' }, undefined],
  [new Error('other'), undefined],
])('an error of the system %j is the failure %j', (error, failure) => {
  expect(findDiskFailure(error)).toEqual(failure)
})
