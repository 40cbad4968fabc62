import { type ServedVersion, versionStatuses } from '../domain/lifecycle.ts'
import { dateTime, Type } from '../kit/json-schema.ts'
import { closedObject, formatDateTime, type Resource } from './schema.ts'

export const versionsSchema = closedObject({
  data: Type.Array(
    closedObject({
      name: Type.String(),
      status: Type.Enum(versionStatuses),
      default: Type.Boolean(),
      deprecated_at: Type.Optional(dateTime()),
      sunset_at: Type.Optional(dateTime()),
    }),
  ),
})

/** Presents the versions of the partner API. */
export const versionsResource = (versions: readonly ServedVersion[]): Resource<typeof versionsSchema> => ({
  data: versions.map(({ name, status, isDefault, deprecatedMs, sunsetMs }) => ({
    name,
    status,
    default: isDefault,
    ...(deprecatedMs !== undefined && { deprecated_at: formatDateTime(deprecatedMs) }),
    ...(sunsetMs !== undefined && { sunset_at: formatDateTime(sunsetMs) }),
  })),
})
