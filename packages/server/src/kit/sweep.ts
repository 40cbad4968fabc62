import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: ((options: { type: 'minor' }) => void) | undefined

/**
 * Frees unreachable buffers with a minor garbage collection, which takes about a millisecond. V8 retains up to 64 MB of
 * them until enough objects are created, so code that streams much data and creates few objects must call this.
 */
export function sweepBuffers(): void {
  if (!collect) {
    setFlagsFromString('--expose-gc')
    // Only contexts that are created after the flag was set have this function.
    collect = runInNewContext('gc') as typeof collect
  }
  collect!({ type: 'minor' })
}
