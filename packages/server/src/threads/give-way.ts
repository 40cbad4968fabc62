import { setPriority } from 'node:os'

/** A tenth of the time of what it competes with: polite, but never starved. */
const niceness = 10

/** Lets everything else on the machine go first; on Linux this thread alone, elsewhere its process. */
export function giveWay(): void {
  try {
    setPriority(niceness)
  } catch {
    // A machine that does not allow it is none the worse: builds are just less polite.
  }
}
