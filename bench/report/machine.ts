import { execFileSync } from 'node:child_process'
import { cpus, totalmem, type } from 'node:os'

/** Returns machine, system, commit and places in one line, for each section of the report. */
export function describeMachine(places: number): string {
  const cores = cpus()
  const model = cores[0]?.model.trim() ?? 'unknown processor'
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  const machine = `${cores.length} × ${model}, ${gigabytes} GB, ${type()}`
  return `${machine}, Node.js ${process.version}, commit ${commit()}, ${places.toLocaleString('en')} places`
}

function commit(): string {
  const options = { encoding: 'utf8', cwd: import.meta.dirname } as const
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], options).trim()
  } catch {
    return 'unknown'
  }
}
