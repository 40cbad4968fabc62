/**
 * Every command on a read-only disk, without permission, on a full disk and without descriptors: it works, or it prints
 * one sentence that names the file.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, closeSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CommandResult, periplus } from './cli.ts'
import { smallDisk } from './small-disk.ts'
import { configFor, importRows, makeKey, ndjson, scratch } from './world.ts'

const { path: disk, mounted } = smallDisk(32)
/** Other users may enter this folder, but not change it. */
const home = join(disk, 'home')
const data = join(home, 'data')
const other = scratch()
const place = { id: 1, name: 'Place', lat: 1, lon: 1 }
const backup = join(other.path, 'backup')
let key = ''

beforeAll(async () => {
  mkdirSync(home)
  chmodSync(home, 0o755)
  chmodSync(other.path, 0o777)
  await periplus(['import', '-', '--data', data], { stdin: ndjson([place]) })
  const config = configFor(data)
  await importRows(config, 'review', [{ id: 1, location_id: 1, rating: 4, text: 'Fine.' }])
  key = (await makeKey(config)).id
  expect((await run(['backup', backup])).code).toBe(0)
  execFileSync('chmod', ['-R', 'a+rX', backup])
})
afterAll(other.remove)

/** Commands that write to the disk, and fail unless they can. */
const writing = (): string[][] => [
  ['serve', '--port', '0'],
  ['demo', '--port', '0'],
  ['import', '-'],
  ['keys', 'create', '--partner', 'tester', '--package', 'growth'],
  ['keys', 'set', key, '--rate', '7'],
  ['keys', 'rotate', key, '--overlap', '0s'],
  ['partners', 'create', 'Acme'],
  ['feeds', 'build', '--feed', 'enums', '--full'],
  ['feeds', 'pull', 'enums', '--url', 'http://127.0.0.1:9', '--key', 'peri_live_x', '--into', join(home, 'pulled')],
  ['feeds', 'pin', key, 'enums', '2'],
  ['reviews', 'hide', '1'],
  ['erase', '--user', 'crm:u1'],
  ['backup', join(home, 'backup')],
  ['restore', backup, '--data', join(home, 'restored')],
]

/** Commands that need not write. */
const reading = (): string[][] => [
  ['import', '-', '--dry-run'],
  ['keys', 'list'],
  ['partners', 'list'],
  ['usage'],
  ['usage', 'statement', '--partner', 'tester', '--month', '2026-01'],
  ['feeds', 'list'],
  ['reviews', 'show', '1'],
  ['verify'],
  ['config', 'check'],
]

/** Runs a command; a service is stopped as soon as it listens. */
async function run(args: readonly string[]): Promise<CommandResult> {
  const handlers = process.listenerCount('SIGTERM')
  const where = args.includes('--data') || args.includes('--into') ? [] : ['--data', data]
  const ran = periplus([...args, ...where], { stdin: ndjson([{ ...place, name: 'Renamed' }]) })
  const ended = ran.then(() => true)
  if (['serve', 'demo'].includes(args[0]!))
    while (!(await Promise.race([ended, wait(5, false)])))
      if (process.listenerCount('SIGTERM') > handlers) process.emit('SIGTERM')
  return ran
}

/** Returns what is wrong with the outcome of a command; undefined if it works or says why not. */
function findFlaw({ code, stdout, stderr }: CommandResult): string | undefined {
  if (code === 0) return undefined
  const sentence = stderr.trimEnd().split('\n').at(-1)!
  const isClear = /^(\S+\/\S+ |The (system|disk|data folder) |\d+ problems? ).+\.$/.test(sentence)
  const leaks = /unexpected|does not exist|SQLITE|\bE[A-Z]{4,}:|database|node:|\n {4}at /.test(stdout + stderr)
  return code === 1 && isClear && !leaks ? undefined : `${code}: ${stdout}${stderr}`
}

/** Runs commands; returns the outcomes that are neither a success nor a sentence. */
async function flawsOf(commands: readonly string[][], mayWork: boolean): Promise<string[]> {
  const flaws: string[] = []
  for (const command of commands) {
    const result = await run(command)
    const flaw = result.code === 0 && !mayWork ? 'it works' : findFlaw(result)
    if (flaw !== undefined) flaws.push(`${command.slice(0, 2).join(' ')}: ${flaw}`)
  }
  return flaws
}

/** A state in which the disk cannot be used; `start` returns a function that ends it. */
interface Fault {
  readonly name: string
  readonly possible: boolean
  start(): () => void
}

const isRoot = process.getuid?.() === 0

/** Fills the disk to its last block. */
function fill(): () => void {
  const ballast = join(disk, 'ballast')
  for (const size of [1_000_000, 4096]) {
    try {
      for (;;) appendFileSync(ballast, Buffer.alloc(size))
    } catch {}
  }
  return () => rmSync(ballast)
}

function withdrawPermission(): () => void {
  if (isRoot) {
    const nobody = 65_534
    process.seteuid!(nobody)
    return () => process.seteuid!(0)
  }
  chmodSync(disk, 0)
  return () => chmodSync(disk, 0o700)
}

const faults: readonly Fault[] = [
  {
    name: 'a read-only disk',
    possible: mounted,
    start: () => {
      execFileSync('mount', ['-o', 'remount,ro', disk])
      return () => execFileSync('mount', ['-o', 'remount,rw', disk])
    },
  },
  { name: 'no permission', possible: process.seteuid !== undefined, start: withdrawPermission },
  { name: 'a full disk', possible: mounted, start: fill },
]

describe.each(faults)('with $name', ({ possible, start }) => {
  test.skipIf(!possible)('each command works or says which file it cannot use', async () => {
    const end = start()
    try {
      expect(await flawsOf(writing(), false)).toEqual([])
      expect(await flawsOf(reading(), true)).toEqual([])
    } finally {
      end()
    }
    expect((await run(['verify'])).code).toBe(0)
  })
})

const canLimit = process.platform === 'linux' && hasPrlimit()
if (!canLimit) console.warn('Skipped: cannot limit the open files of this process (requires prlimit).')

function hasPrlimit(): boolean {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Leaves this process a number of free descriptors. */
function useDescriptors(free: number): () => void {
  const limit = (soft: string) => execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${soft}:`])
  const before = execFileSync('prlimit', ['--pid', String(process.pid), '--nofile', '--noheadings', '-o', 'SOFT'])
  limit(String(readdirSync('/proc/self/fd').length + 60))
  const opened: number[] = []
  try {
    for (;;) opened.push(openSync('/dev/null', 'r'))
  } catch {}
  for (const descriptor of opened.splice(-free)) closeSync(descriptor)
  return () => {
    for (const descriptor of opened) closeSync(descriptor)
    limit(String(before).trim())
  }
}

// Node needs a descriptor of its own for each module that it has not loaded yet; all commands ran above.
test.skipIf(!canLimit).each([1, 3, 7])('with %i free descriptors, each command works or names the file', async free => {
  const end = useDescriptors(free)
  try {
    // With few descriptors, the import of the demo may work, and a pull waits for the network.
    expect(
      await flawsOf(
        [...writing(), ...reading()].filter(([name, what]) => name !== 'demo' && what !== 'pull'),
        true,
      ),
    ).toEqual([])
  } finally {
    end()
  }
})
