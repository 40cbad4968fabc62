/**
 * Preload of nodes: lets things around the process go wrong while it runs. The file that SURROUNDINGS names has them as
 * JSON. `shiftMs`: how far the wall clock is off. `isFull`: the disk of the journal has no room; the first write after
 * another one ends within its bytes.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** The file is read again after this time, in milliseconds. */
const keptMs = 20
const { openSync, closeSync, writeSync, readFileSync } = fs
let surroundings = {}
let readAtMs = Number.NEGATIVE_INFINITY

function look() {
  const nowMs = performance.now()
  if (nowMs - readAtMs > keptMs) {
    readAtMs = nowMs
    surroundings = JSON.parse(readFileSync(process.env.SURROUNDINGS, 'utf8'))
  }
  return surroundings
}

const { now } = Date
Date.now = () => now() + (look().shiftMs ?? 0)
globalThis.Date = new Proxy(Date, {
  construct: (target, args, created) => Reflect.construct(target, args.length === 0 ? [target.now()] : args, created),
})

/** Descriptors of files of the journal. */
const journal = new Set()
let hasRoom = true

fs.openSync = (path, ...rest) => {
  const fd = openSync(path, ...rest)
  if (/\/journal\/[^/]+$/.test(String(path))) journal.add(fd)
  return fd
}
fs.closeSync = fd => {
  journal.delete(fd)
  closeSync(fd)
}
fs.writeSync = (fd, buffer, offset, length, position) => {
  if (!journal.has(fd) || !look().isFull) {
    hasRoom = true
    return writeSync(fd, buffer, offset, length, position)
  }
  if (!hasRoom || length < 2)
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  hasRoom = false
  return writeSync(fd, buffer, offset, Math.floor(length / 2), position)
}
syncBuiltinESMExports()
