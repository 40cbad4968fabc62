import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { collect, nodeArgs, type Served, serve, start } from './cli.ts'

/** Arguments of Node for a process with fault points. */
export const withFaultPoints = [...nodeArgs, '--import', new URL('./setup/fault-points.ts', import.meta.url).href]
let logs = 0

/** Runs `periplus …` to its end and returns the fault points that it passed, in their order (setup/fault-points.ts). */
export async function faultPoints(args: readonly string[]): Promise<string[]> {
  const log = join(tmpdir(), `periplus-test-points-${process.pid}-${++logs}`)
  const child = start(args, { TEST_FAULT_LOG: log }, withFaultPoints)
  const { stderr } = collect(child)
  const [code] = await once(child, 'close')
  expect(code, stderr()).toBe(0)
  const points = readFileSync(log, 'utf8').trimEnd().split('\n')
  rmSync(log)
  return points
}

/** Runs `periplus …` until it kills itself at a fault point: `commit data.sqlite#2` is the second commit. */
export const killedAt = (point: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  killed(point, start(args, { ...env, TEST_KILL_AT: point }, withFaultPoints))

/** Starts `periplus serve` and waits until it listens; it kills itself at a fault point. */
export const serveUntil = (point: string, data: string): Promise<Served> =>
  serve(data, [], { TEST_KILL_AT: point }, withFaultPoints)

/** Runs a program of the tests until it kills itself at a fault point. */
export const programKilledAt = (point: string, program: string, ...args: readonly string[]) =>
  killed(
    point,
    spawn(process.execPath, [...withFaultPoints, program, ...args], {
      env: { ...process.env, TEST_KILL_AT: point },
      stdio: 'pipe',
    }),
  )

async function killed(point: string, child: ChildProcess): Promise<void> {
  const { stderr } = collect(child)
  const [, signal] = await once(child, 'close')
  expect([point, signal], stderr()).toEqual([point, 'SIGKILL'])
}

/**
 * Runs a program of the tests, kills it when it has printed this many lines, and returns all lines that it has printed.
 */
export async function linesUntilKilled(lines: number, program: string, ...args: readonly string[]): Promise<string[]> {
  const child = spawn(process.execPath, [...nodeArgs, program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const parts: string[] = []
  let seen = 0
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    parts.push(part)
    seen += part.split('\n').length - 1
    if (seen >= lines) child.kill('SIGKILL')
  })
  await once(child, 'close')
  // The last line may be torn.
  return parts.join('').split('\n').slice(0, -1)
}
