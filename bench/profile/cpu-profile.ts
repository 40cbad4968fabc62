/** A CPU profile of one thread, as `node --cpu-prof` writes it. Times are in microseconds of the monotonic clock. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[]
  readonly startTime: number
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string }
  readonly children?: readonly number[]
}

/** A span of time on the monotonic clock, in microseconds. */
export interface Span {
  readonly fromUs: number
  readonly toUs: number
}

/** Returns the time that a thread worked in a span, in microseconds, by part of the service. */
export function splitProfile(profile: CpuProfile, { fromUs, toUs }: Span): Map<string, number> {
  const partOfNode = nameParts(profile)
  const byPart = new Map<string, number>()
  let atUs = profile.startTime
  for (const [i, node] of profile.samples.entries()) {
    const tookUs = profile.timeDeltas[i]!
    atUs += tookUs
    const part = partOfNode.get(node)
    if (part === undefined || atUs < fromUs || atUs > toUs) continue
    byPart.set(part, (byPart.get(part) ?? 0) + tookUs)
  }
  return byPart
}

/** Returns true if a thread has run a module whose path contains a text. */
export const hasRun = ({ nodes }: CpuProfile, path: string): boolean =>
  nodes.some(({ callFrame }) => callFrame.url.includes(path))

/** Returns the part of each node of the call tree; idle ones have none. */
function nameParts({ nodes }: CpuProfile): Map<number, string | undefined> {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const parts = new Map<number, string | undefined>()
  const visit = (node: ProfileNode, inherited: string | undefined): void => {
    const part = partOf(node, inherited)
    parts.set(node.id, part)
    for (const child of node.children ?? []) visit(byId.get(child)!, part)
  }
  visit(nodes[0]!, undefined)
  return parts
}

/** Native functions that write to a socket for a stream of Node. */
const socketWrites = new Set(['writeBuffer', 'writev', 'writeLatin1String', 'writeUtf8String'])

const wholeParts = new Map([
  ['(idle)', undefined],
  ['(garbage collector)', 'garbage collection'],
  ['(program)', 'outside JavaScript'],
  ['(root)', 'outside JavaScript'],
])

/** Native functions and libraries count for the part that calls them. */
function partOf({ callFrame: { functionName, url } }: ProfileNode, inherited: string | undefined): string | undefined {
  if (wholeParts.has(functionName)) return wholeParts.get(functionName)
  if (url.startsWith('node:')) return 'Node.js'
  const [, part] = /packages\/server\/src\/([a-z]+)\//.exec(url) ?? []
  if (part !== undefined) return part
  if (url === '' && inherited === 'Node.js' && socketWrites.has(functionName)) return 'writes to sockets'
  return inherited ?? 'outside JavaScript'
}
