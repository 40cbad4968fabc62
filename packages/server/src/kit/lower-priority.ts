import { setPriority } from 'node:os'

/** With this niceness, a thread gets about a tenth of the CPU time of a competing thread with the default of 0. */
const niceness = 10

/** Lowers the scheduling priority of the calling thread on Linux, and of the whole process on other systems. */
export function lowerPriority(): void {
  try {
    setPriority(niceness)
  } catch {
    // Not permitted on this machine: background work then competes at normal priority.
  }
}
