import type { Layout } from '../store/sqlite/layout.ts'
import { controlMigrations } from '../store/sqlite/migrations/control.ts'
import { dataMigrations } from '../store/sqlite/migrations/data.ts'
import { openSqlite } from '../store/sqlite/open.ts'

/** control.sqlite of a data folder. */
export const openControl = (layout: Layout) => openSqlite(layout.control, controlMigrations, { synchronous: 'FULL' })
/** data.sqlite of a data folder. */
export const openData = (layout: Layout, how: { cacheMb: number; mapped: boolean }) =>
  openSqlite(layout.data, dataMigrations, { synchronous: 'NORMAL', ...how })
