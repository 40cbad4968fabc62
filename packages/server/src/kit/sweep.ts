import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: ((options: { type: 'minor' }) => void) | undefined

/**
 * Frees unreachable buffers by a minor garbage collection, which takes about a millisecond. V8 keeps up to 64 MB of them, and
 * keeps them longer the fewer objects are created, so code that streams much data and creates few objects must call this.
 */
export function sweepBuffers(): void {
  if (!collect) {
    setFlagsFromString('--expose-gc')
    // Contexts that are created after the flag was set have the function.
    collect = runInNewContext('gc') as typeof collect
  }
  collect!({ type: 'minor' })
}
