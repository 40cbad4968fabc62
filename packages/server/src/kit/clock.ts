import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'

/** A source of time. Domain rules do not read a clock but take the time as an argument, so that tests can set it. */
export interface Clock {
  /** Returns wall time in milliseconds since 1970. It may jump forwards and backwards. */
  nowMs(): number
  /** Returns monotonic time in whole microseconds from an arbitrary origin. */
  monotonicUs(): number
  /** Returns the time since the start of the machine; undefined where it is not available. */
  boot?(): BootTime | undefined
}

/** Time since the start of the machine, which no step of the wall clock changes. */
export interface BootTime {
  /** Identifies the start of the machine. */
  readonly id: string
  /** Microseconds since then. */
  readonly us: number
}

/** The clocks of the machine. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicUs: () => Math.floor(performance.now() * 1000),
  boot: () => {
    const id = readBootId()
    return id === undefined ? undefined : { id, us: Math.round(uptime() * 1_000_000) }
  },
}

/** Returns the CPU time that the calling thread has used, in microseconds. */
export function threadCpuUs(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

/**
 * Returns the difference between the monotonic clock of the machine and that of the calling thread, in whole
 * microseconds: the clock of each thread begins with the thread.
 */
export function measureClockOffset(): number {
  let offsetUs = 0
  let shortestUs = Number.POSITIVE_INFINITY
  for (let i = 0; i < 5; i++) {
    const before = machineUs()
    const ownUs = performance.now() * 1000
    const after = machineUs()
    if (after - before >= shortestUs) continue
    shortestUs = after - before
    offsetUs = Math.round((before + after) / 2 - ownUs)
  }
  return offsetUs
}

/** Returns the clocks of the calling thread, with the monotonic time of a thread that measured another offset. */
export function createThreadClock(offsetUs: number): Clock {
  const differenceUs = measureClockOffset() - offsetUs
  return { ...systemClock, monotonicUs: () => Math.floor(performance.now() * 1000) + differenceUs }
}

function machineUs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1_000_000 + nanoseconds / 1000
}

/** Returns the id that Linux gives each start of the machine; other systems have no such id. */
function readBootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return undefined
  }
}
