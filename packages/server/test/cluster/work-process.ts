import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { collect, start } from '../cli.ts'
import { eventually } from '../eventually.ts'
import { scratch } from '../scratch.ts'

/** Starts `periplus work`, and waits until it shows its admin port. */
export async function work(data: string, env: Readonly<Record<string, string>>) {
  const child = start(['work', '--data', data, '--admin-port', '0'], env)
  onTestFinished(() => void child.kill('SIGKILL'))
  const out = collect(child)
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  const admin = await eventually(() => {
    const line = /^working, admin port at (http\S+)$/m.exec(out.stdout())
    if (!line) throw new Error(out.stderr() || 'not working yet')
    return line[1]!
  })
  const readiness = async () => (await fetch(`${admin}/readyz`)).json()
  const isElected = async () =>
    /^periplus_worker_elected (\d)$/m.exec(await (await fetch(`${admin}/metrics`)).text())![1] === '1'
  const stop = (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal)
    return ended
  }
  return { pid: child.pid!, ended, readiness, isElected, stop, log: out.stderr }
}

/** Returns a folder of a node, with the pepper of another one. */
export function copyNode(from: string): string {
  const folder = scratch()
  onTestFinished(() => folder.remove())
  cpSync(join(from, 'pepper'), join(folder.path, 'pepper'))
  return folder.path
}
