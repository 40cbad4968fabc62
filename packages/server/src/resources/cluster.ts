import { nodeModes } from '../domain/membership.ts'
import type { ClusterStatus, NodeStatus } from '../domain/node-admin.ts'
import { count, dateTime, Type } from '../kit/json-schema.ts'
import { closedObject, formatDateTime, type Resource } from './schema.ts'

const text = () => Type.Optional(Type.String())
const role = () => Type.Enum(['serve', 'work'])

const nodeSchema = closedObject({
  id: Type.String(),
  live: Type.Boolean(),
  name: text(),
  role: Type.Optional(role()),
  release: text(),
  /** The newest schema that the release knows. */
  level: Type.Optional(count()),
  /** Missing for a node that does not share limits. */
  mode: Type.Optional(Type.Enum(nodeModes)),
  epoch: Type.Optional(count()),
  /** True if it has answered calls alone since it entered the epoch. */
  blind: Type.Boolean(),
  journal_position: Type.String(),
  /** The last call that is in the ledger; missing before the first. */
  last_call_at: Type.Optional(dateTime()),
  /** The time before which it has counted its calls; missing for a node that does not share limits. */
  counted_to: Type.Optional(dateTime()),
  /** Digest of the settings that all nodes must share. */
  config: text(),
  /** Feed downloads that the limits of all nodes count. */
  open_downloads: count(),
})

export const clusterSchema = closedObject({
  nodes: Type.Array(nodeSchema),
  epoch: closedObject({
    number: count(),
    state: Type.Enum(['opening', 'open']),
    /** True once the ledger has units that the cache does not know: the next epoch begins. */
    late: Type.Boolean(),
  }),
  /** Missing if limits have never been shared. */
  cache: text(),
  /** Missing if no process is elected. */
  worker: Type.Optional(
    closedObject({ node: Type.String(), name: Type.String(), role: role(), release: Type.String() }),
  ),
  /** Number of the last change of the records. */
  change_seq: count(),
  schema: closedObject({ version: count(), oldest: count() }),
})
export type ClusterResource = Resource<typeof clusterSchema>

/** Presents the nodes of a database. */
export const clusterResource = (status: ClusterStatus, changeSeq: number): ClusterResource => ({
  nodes: status.nodes.map(nodeResource),
  epoch: { number: status.epoch.epoch, state: status.epoch.state, late: status.epoch.late },
  ...(status.cache !== undefined && { cache: status.cache }),
  ...(status.worker && { worker: { ...status.worker } }),
  change_seq: changeSeq,
  schema: { version: status.schema.version, oldest: status.schema.oldest },
})

const nodeResource = (node: NodeStatus): ClusterResource['nodes'][number] => ({
  id: node.node,
  live: node.isLive,
  ...(node.name !== undefined && { name: node.name }),
  ...(node.role !== undefined && { role: node.role }),
  ...(node.release !== undefined && { release: node.release }),
  ...(node.level !== undefined && { level: node.level }),
  ...(node.mode !== undefined && { mode: node.mode }),
  ...(node.epoch !== undefined && { epoch: node.epoch }),
  blind: node.isBlind,
  journal_position: node.position,
  ...(node.lastCallMs !== undefined && { last_call_at: formatDateTime(node.lastCallMs) }),
  ...(node.foldedToMs !== undefined && { counted_to: formatDateTime(node.foldedToMs) }),
  ...(node.config !== undefined && { config: node.config }),
  open_downloads: node.openDownloads,
})
