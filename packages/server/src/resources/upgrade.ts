import { packageNames, permissions } from '../domain/package.ts'
import { type UpgradeAsk, type UpgradeRequest, upgradeKinds, upgradeStates } from '../domain/upgrade.ts'
import { dateTime, Type } from '../kit/json-schema.ts'
import { closedObject, formatDateTime, type Resource } from './schema.ts'

const text = () => Type.Optional(Type.String())

export const upgradeSchema = closedObject({
  id: Type.String(),
  partner_id: Type.String(),
  /** Missing for a live key. */
  key_id: text(),
  kind: Type.Enum(upgradeKinds),
  package: Type.Optional(Type.Enum(packageNames)),
  add_on: Type.Optional(Type.Enum(permissions)),
  quota: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('unlimited')])),
  reason: Type.String(),
  state: Type.Enum(upgradeStates),
  by: Type.String(),
  created_at: dateTime(),
  decided_by: text(),
  decided_at: Type.Optional(dateTime()),
  answer: text(),
  revision: Type.Integer({ minimum: 1 }),
})
export type UpgradeResource = Resource<typeof upgradeSchema>

/** Presents an upgrade request. */
export const upgradeResource = (request: UpgradeRequest): UpgradeResource => ({
  id: request.id,
  partner_id: request.partnerId,
  ...(request.keyId !== undefined && { key_id: request.keyId }),
  ...askedOf(request.ask),
  reason: request.reason,
  state: request.state,
  by: request.by,
  created_at: formatDateTime(request.createdMs),
  ...(request.decidedBy !== undefined && { decided_by: request.decidedBy }),
  ...(request.decidedMs !== undefined && { decided_at: formatDateTime(request.decidedMs) }),
  ...(request.answer !== undefined && { answer: request.answer }),
  revision: request.revision,
})

function askedOf(ask: UpgradeAsk): Pick<UpgradeResource, 'kind' | 'package' | 'add_on' | 'quota'> {
  const { kind } = ask
  if (kind === 'add_on') return { kind, add_on: ask.addOn }
  if (kind === 'quota') return { kind, quota: ask.quota }
  return { kind, ...(ask.packageName !== undefined && { package: ask.packageName }) }
}

export const upgradeListSchema = closedObject({ upgrades: Type.Array(upgradeSchema) })

/** Presents upgrade requests. */
export const upgradeListResource = (requests: readonly UpgradeRequest[]): Resource<typeof upgradeListSchema> => ({
  upgrades: requests.map(upgradeResource),
})
