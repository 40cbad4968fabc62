import type { LinkState } from '../link.ts'
import { anyNode, type FaultContext, type FaultKind } from './context.ts'

type Name = 'cache' | 'store'

/** Faults of the links between nodes and servers. */
export function linkFaults(context: FaultContext): FaultKind[] {
  const fault = (name: string, links: readonly Name[], stateOf: () => LinkState): FaultKind => ({
    name,
    parts: ['link'],
    weight: 2,
    start: async () => {
      const { parts } = anyNode(context)
      const state = stateOf()
      for (const link of links) parts[link].set(state)
      return () => {
        for (const link of links) parts[link].set({})
      }
    },
  })
  const cut = () => ({ cut: true })
  const silent = () => ({ silent: true })
  const slow = () => ({ delayMs: [2, 20, 200, 2000][context.below(4)]! })
  const cutReply = () => ({ cutReplyAfter: context.below(40) })
  return [
    fault('link to cache cut', ['cache'], cut),
    fault('link to store cut', ['store'], cut),
    fault('links to both cut', ['cache', 'store'], cut),
    fault('link to cache silent', ['cache'], silent),
    fault('link to store silent', ['store'], silent),
    fault('links to both silent', ['cache', 'store'], silent),
    fault('link to cache slow', ['cache'], slow),
    fault('link to store slow', ['store'], slow),
    fault('reply of cache cut', ['cache'], cutReply),
    fault('reply of store cut', ['store'], cutReply),
  ]
}
