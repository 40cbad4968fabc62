import type { Config } from '../config/load.ts'
import { createProxyMatcher } from '../config/trusted-proxies.ts'
import { Connections } from '../http/wire/connections.ts'
import { GetReader } from '../http/wire/get-reader.ts'
import type { Traffic } from '../http/wire/traffic.ts'
import { UnsentResponses } from '../http/wire/unsent-responses.ts'
import { toAddressBlock } from '../kit/address-block.ts'
import { SharedCounts } from '../kit/held-counts.ts'
import type { SharedServing } from './serving-memory.ts'

const bytesPerMb = 1_048_576

/** Connections of clients, and the responses that they have not read. */
export interface ServingConnections {
  readonly connections: Connections
  readonly unsent: UnsentResponses
  readonly reader: GetReader
}

/** Creates the limits of connections. A trusted proxy, which connects for many clients, has no limit. */
export function composeConnections(
  { server }: Config,
  traffic: Traffic,
  shared: SharedServing | undefined,
): ServingConnections {
  const countsIn = (name: 'connections' | 'unsent') =>
    shared && { counts: new SharedCounts(shared.memory[name], shared.thread) }
  const isProxy = createProxyMatcher(server.trustedProxies)
  const connections = new Connections({
    maxPerAddress: server.maxConnectionsPerAddress,
    countAs: address => (isProxy(address) ? undefined : toAddressBlock(address)),
    ...countsIn('connections'),
  })
  const limits = {
    writeTimeoutMs: server.writeTimeoutMs,
    maxBytesPerKey: server.maxUnsentMbPerKey * bytesPerMb,
    ...countsIn('unsent'),
  }
  const unsent = new UnsentResponses(limits, connections, traffic)
  return { connections, unsent, reader: new GetReader(unsent) }
}
