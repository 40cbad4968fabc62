import type { Sqlite } from '../connection.ts'
import type { SqliteFiles } from './files.ts'
import { controlMigrations } from './migrations/control.ts'
import { dataMigrations } from './migrations/data.ts'
import { type OpenOptions, openSqlite } from './open.ts'

/** Settings of a connection that depend on its use. */
type Tuning = Pick<OpenOptions, 'cacheMb' | 'logMb' | 'mapped' | 'readonly'>

/** The connections of an engine to control.sqlite and data.sqlite. Each is opened when it is first needed. */
export class StoreConnections {
  readonly #files: SqliteFiles
  readonly #onFailure: OpenOptions['onFailure']
  readonly #shared = new Map<string, Sqlite>()
  #isClosed = false

  constructor(files: SqliteFiles, onFailure: OpenOptions['onFailure']) {
    this.#files = files
    this.#onFailure = onFailure
  }

  /** The connection to control.sqlite that all stores of the engine share. */
  get control(): Sqlite {
    return this.#once('control', () => this.openControl({ cacheMb: 16 }))
  }

  /** The connection to data.sqlite that all readers share. */
  get data(): Sqlite {
    return this.#once('data', () => this.openData({ cacheMb: 16, mapped: true }))
  }

  /** The connection to data.sqlite that decisions about reviews and places are written with. */
  get decisionData(): Sqlite {
    return this.#once('decisions', () => this.openData({ cacheMb: 64 }))
  }

  /** The connection to data.sqlite that texts of places are read from. */
  get texts(): Sqlite {
    return this.#once('texts', () => this.openData({ cacheMb: 16, mapped: true, readonly: true }))
  }

  /** The connection to data.sqlite that integrity checks read. */
  get checkedData(): Sqlite {
    return this.#once('checks', () => this.openData({ cacheMb: 64, mapped: true }))
  }

  /** Opens another connection to control.sqlite, which the caller closes. */
  openControl(tuning: Tuning): Sqlite {
    this.requireOpen()
    const options: OpenOptions = { synchronous: 'FULL', ...tuning, onFailure: this.#onFailure }
    return openSqlite(this.#files.control, controlMigrations, options)
  }

  /** Opens another connection to data.sqlite, which the caller closes. */
  openData(tuning: Tuning): Sqlite {
    this.requireOpen()
    const options: OpenOptions = { synchronous: 'NORMAL', ...tuning, onFailure: this.#onFailure }
    return openSqlite(this.#files.data, dataMigrations, options)
  }

  /** Throws after `close`: a connection that is opened later would never be closed. */
  requireOpen(): void {
    if (this.#isClosed) throw new Error('The engine is closed.')
  }

  /** Closes the shared connections; no other can be opened afterwards. */
  close(): void {
    this.#isClosed = true
    for (const db of this.#shared.values()) db.close()
    this.#shared.clear()
  }

  #once(name: string, open: () => Sqlite): Sqlite {
    const known = this.#shared.get(name)
    if (known) return known
    const opened = open()
    this.#shared.set(name, opened)
    return opened
  }
}
