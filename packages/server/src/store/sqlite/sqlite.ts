export type { Sqlite, Statement } from '../connection.ts'
