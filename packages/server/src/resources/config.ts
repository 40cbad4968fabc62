import type { ConfigStatus } from '../domain/config-status.ts'
import type { RelyingKey } from '../domain/usage-report.ts'
import { Type } from '../kit/json-schema.ts'
import { closedObject, type Resource } from './schema.ts'
import { relyingKeysResource, relyingKeysSchema } from './usage.ts'

export const configCheckSchema = closedObject({
  ok: Type.Literal(true),
  warnings: Type.Array(Type.String()),
  default_version: Type.String(),
  relying_on_default: relyingKeysSchema,
})
export type ConfigCheckResource = Resource<typeof configCheckSchema>

/** Presents a checked configuration. */
export const configCheckResource = ({
  warnings,
  defaultVersion,
  relyingKeys,
}: ConfigStatus & { readonly relyingKeys: readonly RelyingKey[] }): ConfigCheckResource => ({
  ok: true,
  warnings: warnings.map(({ path, text }) => `${path}: ${text}`),
  default_version: defaultVersion,
  relying_on_default: relyingKeysResource(relyingKeys),
})

/** A setting with its effective value and its origin. */
export interface EffectiveSetting {
  readonly setting: string
  readonly value: unknown
  /** `default`, `periplus.yaml line 3`, `env PERIPLUS_DATA` or `flag`. */
  readonly source: string
}

export const settingsSchema = closedObject({
  settings: Type.Array(
    closedObject({ setting: Type.String(), value: Type.Optional(Type.Unknown()), source: Type.String() }),
  ),
})

/** Presents all settings. */
export const settingsResource = (settings: readonly EffectiveSetting[]): Resource<typeof settingsSchema> => ({
  settings: settings.map(({ setting, value, source }) => ({ setting, value, source })),
})
