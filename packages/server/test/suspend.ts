import { readdirSync, readFileSync } from 'node:fs'

/** Suspends a process and its children; returns a function that resumes them. Some may have ended meanwhile. */
export function suspend(pid: number): () => void {
  // A process that is suspended first starts no others.
  sendSignal(pid, 'SIGSTOP')
  const all = [pid, ...childrenOf(pid)]
  for (const one of all) sendSignal(one, 'SIGSTOP')
  return () => {
    for (const one of all) sendSignal(one, 'SIGCONT')
  }
}

/** Kills a process and its children. */
export function killAll(pid: number): void {
  for (const one of [...childrenOf(pid), pid]) sendSignal(one, 'SIGKILL')
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // The process has ended already.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number)

function parentOf(pid: string): number | undefined {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])
  } catch {
    return undefined
  }
}
