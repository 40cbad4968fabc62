import { Type } from '../kit/json-schema.ts'
import { section } from './section.ts'

/** Settings of the section `usage`. */
export const usageSettings = Type.Object(
  {
    export: Type.Object(
      {
        url: Type.Optional(
          Type.String({
            pattern: '^https?://[^\\s/@]+(/\\S*)?$',
            examples: ['https://billing.example.org/api/v1/events'],
            description: 'URL to which billable units are sent as CloudEvents (POST). Default: no export.',
          }),
        ),
        tokenFile: Type.Optional(
          Type.String({ minLength: 1, description: 'File with the bearer token for that URL. Default: no token.' }),
        ),
        source: Type.String({
          minLength: 1,
          pattern: '^[!-~]+$',
          default: 'periplus',
          description:
            'The source of the events. Two installations that send to one billing system need different ones.',
        }),
        from: Type.Optional(
          Type.String({
            pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$',
            examples: ['2026-11-01'],
            description: 'Date (UTC) before which usage is not sent. Default: all usage is sent.',
          }),
        ),
        batch: Type.Integer({
          minimum: 1,
          maximum: 1000,
          default: 100,
          description: 'Maximum number of events in a request; 1 for a billing system that accepts single events only.',
        }),
      },
      section('Export of billable units to a billing system.'),
    ),
  },
  section('Usage of keys and partners.'),
)
