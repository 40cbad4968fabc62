/**
 * Preload of a process that a test observes or kills. Every transaction, every attempt to lock and every change of a
 * file name or of file contents is a fault point with a name, such as `commit data.sqlite` or `rename search.index in a
 * thread`. The process appends each point that it reaches to the file `TEST_FAULT_LOG`. It kills itself before the
 * action of the point `TEST_KILL_AT`, whose name may end with `#` and the number of the occurrence.
 */
import fs from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'
import { getEnvironmentData, isMainThread, setEnvironmentData, threadName } from 'node:worker_threads'
import type DatabaseModule from 'better-sqlite3'

const log = process.env.TEST_FAULT_LOG
const [killAt, occurrence = '1'] = (process.env.TEST_KILL_AT ?? '').split('#')
const { appendFileSync, readlinkSync } = fs
/** Word of memory that all threads share: how often the point to kill at was reached. */
const reached = (getEnvironmentData('faultPoints') ?? new Int32Array(new SharedArrayBuffer(4))) as Int32Array
setEnvironmentData('faultPoints', reached)
const isNamedAsMain = isMainThread || threadName?.startsWith('serving-')
/** True while the log is written, because writing calls the wrapped functions. */
let logging = false

function point(action: string): void {
  if (logging) return
  const name = isNamedAsMain ? action : `${action} in a thread`
  if (log !== undefined) {
    logging = true
    appendFileSync(log, `${name}\n`)
    logging = false
  }
  if (name === killAt && Atomics.add(reached, 0, 1) + 1 === Number(occurrence)) process.kill(process.pid, 'SIGKILL')
}

/** Returns the name of a file without the parts that differ between runs. */
const stableName = (path: unknown): string =>
  basename(typeof path === 'number' ? readlinkSync(`/proc/self/fd/${path}`) : String(path))
    .replace(/^\d{4}-\d\d-\d\d\.\d+-/, 'snapshot-')
    .replace(/\.(\d+|[\da-f]{16})(?=\.(tmp|new)$)/, '')
    .replace(/^\d{8}\.log$/, 'journal')
    .replace(/^job_[-\da-f]+$/, 'job')

type Call = (...args: never[]) => unknown
const files = fs as unknown as Record<string, Call>
const promised = fs.promises as unknown as Record<string, Call>
const watched: [home: Record<string, Call>, name: string, verb: string, pathAt: number][] = [
  [files, 'mkdirSync', 'mkdir', 0],
  [files, 'renameSync', 'rename', 1],
  [files, 'linkSync', 'link', 1],
  [files, 'rmSync', 'remove', 0],
  [files, 'writeSync', 'write', 0],
  [files, 'fsyncSync', 'sync', 0],
  [files, 'writeFileSync', 'write', 0],
  [promised, 'rename', 'rename', 1],
]
for (const [home, name, verb, pathAt] of watched) {
  const original = home[name]!
  home[name] = (...args) => {
    const path = args[pathAt] as unknown
    // Standard output and standard error are not files of the data folder.
    if (path !== 1 && path !== 2) point(`${verb} ${stableName(path)}`)
    return original(...args)
  }
}
syncBuiltinESMExports()

const Database = createRequire(import.meta.url)('better-sqlite3') as typeof DatabaseModule
type Database = DatabaseModule.Database
const { exec, transaction } = Database.prototype as Database
Database.prototype.exec = function (this: Database, sql: string) {
  if (sql === 'BEGIN EXCLUSIVE') point(`lock ${stableName(this.name)}`)
  return exec.call(this, sql)
}
Database.prototype.transaction = function (this: Database, work: Call) {
  return transaction.call(this, (...args: never[]) => {
    const result = work(...args)
    point(`commit ${stableName(this.name)}`)
    return result
  })
} as Database['transaction']
