import type { Layout } from '../store/folder/layout.ts'
import { controlMigrations } from '../store/sqlite/migrations/control.ts'
import { dataMigrations } from '../store/sqlite/migrations/data.ts'
import { openSqlite, type Sqlite } from '../store/sqlite/open.ts'

/** control.sqlite of a data folder. */
export const openControl = (layout: Layout, how: { cacheMb?: number; logMb?: number } = {}): Sqlite =>
  openSqlite(layout.control, controlMigrations, { synchronous: 'FULL', ...how })
/** data.sqlite of a data folder. */
export const openData = (layout: Layout, how: { cacheMb: number; mapped: boolean; logMb?: number }): Sqlite =>
  openSqlite(layout.data, dataMigrations, { synchronous: 'NORMAL', ...how })

/** The newest schema versions. */
export const schemas = () => ({ control: controlMigrations.length, data: dataMigrations.length })
