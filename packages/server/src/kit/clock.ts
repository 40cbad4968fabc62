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

/** Returns the id that Linux gives each start of the machine; other systems have no such id. */
function readBootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return undefined
  }
}
