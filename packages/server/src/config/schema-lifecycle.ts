import { versionStatuses } from '../domain/lifecycle.ts'
import { operationNames } from '../domain/operation.ts'
import { Type } from '../kit/json-schema.ts'
import { section } from './section.ts'

const time = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2})?(Z|[+-]\\d{2}:\\d{2}))?$',
      examples: ['2027-01-31', '2027-01-31T12:00:00Z'],
      description,
    }),
  )
const lifecycleDates = {
  deprecated: time('Start of the deprecation (R-18): a date or date-time in UTC.'),
  sunset: time('Start of 410 responses: a date or date-time in UTC.'),
}

/** Settings of the section `versions`. */
export const versionsSettings = Type.Record(
  Type.String(),
  Type.Object(
    {
      status: Type.Optional(
        Type.Enum(versionStatuses, {
          description: 'Status; the latest stable version is the default version (R-16).',
        }),
      ),
      ...lifecycleDates,
    },
    { additionalProperties: false },
  ),
  {
    default: {},
    description: 'Overrides of the lifecycle of versions, such as {"2": {status: stable}}.',
  },
)

/** Settings of the section `endpoints`. */
export const endpointsSettings = Type.Object(
  Object.fromEntries(
    operationNames.map(name => [
      name,
      Type.Optional(
        Type.Object(
          {
            ...lifecycleDates,
            successor: Type.Optional(
              Type.String({
                pattern: '^(https?://|/)[!-~]+$',
                examples: ['/locations/search', 'https://places.example.org/new'],
                description: 'Successor: a path of this service or a URL.',
              }),
            ),
          },
          { additionalProperties: false },
        ),
      ),
    ]),
  ),
  section('Deprecation and sunset of endpoints (R-18).'),
)
