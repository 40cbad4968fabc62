/** Machines of a guide, each with its folders and its port on this one. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { collect, compileCache, main, nodeArgs, type Output } from '../cli.ts'
import { eventually } from '../eventually.ts'

/** A text of the guide, and what has its place in the test. */
export type Substitution = readonly [shown: string, real: string]

/** A machine that the guide names. */
export class Machine {
  readonly etc: string
  readonly data: string
  readonly port: number
  readonly #env: NodeJS.ProcessEnv
  #running: { readonly child: ChildProcess; readonly out: Output } | undefined

  /** `programs`: the folder of `periplus`, and of the clients of PostgreSQL. */
  constructor(folder: string, port: number, programs: readonly string[], env: Readonly<Record<string, string>>) {
    this.etc = join(folder, 'etc')
    this.data = join(folder, 'data')
    this.port = port
    for (const path of [this.etc, this.data]) mkdirSync(path, { recursive: true, mode: 0o700 })
    const inherited = Object.entries(process.env).filter(([name]) => !/^(PERIPLUS|VITEST|NODE_)/.test(name))
    this.#env = {
      ...Object.fromEntries(inherited),
      PATH: [...programs, process.env.PATH].join(delimiter),
      NODE_COMPILE_CACHE: compileCache,
      PERIPLUS_DATA: this.data,
      PERIPLUS_SERVER_PORT: String(port),
      PERIPLUS_SERVER_IDLE_GRACE_MS: '0',
      ...env,
    }
  }

  /** Runs commands to their end; returns what they print. Rejects if they fail. */
  async run(script: string): Promise<string> {
    const child = this.#start(script)
    const out = collect(child)
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`${script}ended with ${code}:\n${out.stdout()}`)
    return out.stdout()
  }

  /** Runs commands, and lets the last one run on; returns what it prints until it is ready. */
  async keepRunning(script: string): Promise<string> {
    await this.stop()
    const child = this.#start(script.replace(/^periplus (serve|work)/m, 'exec $&'))
    const out = collect(child)
    this.#running = { child, out }
    return eventually(() => {
      if (child.exitCode === null && !/^(listening on|working).*\n/m.test(out.stdout())) throw new Error('not ready')
      return out.stdout().replaceAll(/^\{.*\n/gm, '')
    })
  }

  /** Ends what is running. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const { child } = this.#running ?? {}
    this.#running = undefined
    if (child === undefined || child.exitCode !== null) return
    const ended = once(child, 'close')
    child.kill(signal)
    await ended
  }

  #start(script: string): ChildProcess {
    const child = spawn('sh', ['-ec', `exec 2>&1\n${script}`], { cwd: this.etc, env: this.#env })
    child.stdin.end()
    return child
  }
}

/** Writes the program `periplus` into a folder. */
export function installPeriplus(folder: string): void {
  const program = join(folder, 'periplus')
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" ${nodeArgs.join(' ')} "${main}" "$@"\n`)
  chmodSync(program, 0o755)
}
