import Type from 'typebox'
import { versionStatuses } from '../domain/lifecycle.ts'
import { meters, operationNames } from '../domain/operation.ts'
import { type packageNames, permissions } from '../domain/package.ts'

/** A group of settings: absent is empty, and a name that is not listed is a mistake. */
const section = (description: string) => ({ additionalProperties: false, default: {}, description })

const packageSchema = (defaults: { rate: number; quota?: number; extra?: boolean }) =>
  Type.Object(
    {
      permissions: Type.Array(Type.Enum(permissions), {
        default: defaults.extra ? [...permissions] : ['locations', 'reviews'],
        description: 'What keys of this package may call without add-ons.',
      }),
      rate: Type.Number({
        exclusiveMinimum: 0,
        maximum: 1_000_000,
        default: defaults.rate,
        description: 'Requests per second, sustained.',
      }),
      quota: Type.Optional(
        Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('unlimited')], {
          ...(defaults.quota !== undefined && { default: defaults.quota }),
          description: 'Units per 24-hour window; left out: every key needs an agreement that says it (R-04).',
        }),
      ),
    },
    section('One package.'),
  )

const moment = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2})?(Z|[+-]\\d{2}:\\d{2}))?$',
      examples: ['2027-01-31', '2027-01-31T12:00:00Z'],
      description,
    }),
  )
const lifecycleDates = {
  deprecated: moment('From when on it is deprecated (R-18): a date or date-time, UTC.'),
  sunset: moment('From when on it answers 410.'),
}

/** Every setting: name, type, bounds, default and meaning. The one source of the checks and of `config print`. */
export const configSchema = Type.Object(
  {
    data: Type.String({ default: './periplus-data', description: 'The data folder.' }),
    server: Type.Object(
      {
        host: Type.String({ default: '127.0.0.1', description: 'Address to listen on.' }),
        port: Type.Integer({ minimum: 0, maximum: 65535, default: 8080, description: 'Port; 0 takes a free one.' }),
        basePath: Type.String({
          default: '/',
          pattern: '^/',
          examples: ['/', '/places'],
          description: 'Path under which everything is served.',
        }),
        trustedProxies: Type.Array(Type.String(), {
          default: [],
          description: 'Addresses and networks whose X-Forwarded-For is believed.',
        }),
        publicUrl: Type.Optional(
          Type.String({
            pattern: '^https?://[^\\s/]+',
            examples: ['https://places.example.org'],
            description: 'How partners reach the service (R-34); default: the listening address.',
          }),
        ),
        logLevel: Type.Enum(['debug', 'info', 'warn', 'error', 'silent'], {
          default: 'info',
          description: 'Least severe lines that are logged.',
        }),
        drainMs: Type.Integer({
          minimum: 0,
          maximum: 600_000,
          default: 10_000,
          description: 'How long a SIGTERM waits for open requests.',
        }),
        idleGraceMs: Type.Integer({
          minimum: 0,
          maximum: 600_000,
          default: 1000,
          description: 'How long a SIGTERM keeps connections without a request, because one may be on its way.',
        }),
        lockWaitMs: Type.Integer({
          minimum: 0,
          maximum: 600_000,
          default: 0,
          description: 'How long a start waits for the process that serves the folder to end.',
        }),
        adminPort: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 65535,
            description: 'Port of /metrics, /healthz and /readyz for the operator; left out: none.',
          }),
        ),
        adminHost: Type.String({ default: '127.0.0.1', description: 'Address of that port.' }),
      },
      section('Where the service listens, and how it starts and ends.'),
    ),
    limits: Type.Object(
      {
        penalty: Type.Boolean({ default: true, description: 'Whether tight loops extend the wait (R-10).' }),
        penaltyGraceMs: Type.Integer({
          minimum: 0,
          maximum: 10_000,
          default: 500,
          description: 'How long after a refusal calls count as sent before it.',
        }),
        penaltyCapSeconds: Type.Integer({
          minimum: 1,
          maximum: 60,
          default: 60,
          description: 'The most by which one call extends the wait.',
        }),
        badKeyRate: Type.Number({
          exclusiveMinimum: 0,
          default: 20,
          description: 'Requests per second and address without a valid key.',
        }),
        badKeyBurst: Type.Integer({ minimum: 1, default: 100, description: 'Such requests at once.' }),
      },
      section('What happens to those who do not keep to limits.'),
    ),
    meters: Type.Object(
      Object.fromEntries(
        operationNames.map(name => [
          name,
          Type.Optional(
            Type.Object(
              {
                meter: Type.Enum(meters, { description: `What ${name} is charged by (R-08).` }),
                weight: Type.Optional(
                  Type.Integer({ minimum: 0, default: 1, description: 'Units of one call or entity.' }),
                ),
              },
              { additionalProperties: false },
            ),
          ),
        ]),
      ),
      section('What calls are charged, where that differs from the table of routes (R-08).'),
    ),
    versions: Type.Record(
      Type.String(),
      Type.Object(
        {
          status: Type.Optional(
            Type.Enum(versionStatuses, { description: 'The latest stable version is the default (R-16).' }),
          ),
          ...lifecycleDates,
        },
        { additionalProperties: false },
      ),
      {
        default: {},
        description: 'Where versions stand, where that differs from the release: {"2": {status: stable}}.',
      },
    ),
    endpoints: Type.Object(
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
                    description: 'What replaces it: a path of this service or a URL.',
                  }),
                ),
              },
              { additionalProperties: false },
            ),
          ),
        ]),
      ),
      section('Endings of endpoints (R-18).'),
    ),
    journal: Type.Object(
      {
        keepDays: Type.Integer({ minimum: 1, default: 100, description: 'How long the detail of calls is kept.' }),
        maxMb: Type.Integer({
          minimum: 64,
          default: 10_240,
          description: 'The most that detail may take; the detail of calls that cost nothing goes first.',
        }),
      },
      section('The record of every call.'),
    ),
    cors: Type.Object(
      {
        origins: Type.Array(
          Type.String({ pattern: '^(\\*|[a-z][a-z0-9+.-]*://[^/\\s]+)$', examples: ['https://app.example', '*'] }),
          {
            default: [],
            description: 'Origins that browsers may call from, such as https://app.example; "*" for all.',
          },
        ),
        maxAgeSeconds: Type.Integer({
          minimum: 0,
          default: 86_400,
          description: 'How long a browser may remember that it may call.',
        }),
      },
      section('Calls from browsers (R-27).'),
    ),
    keys: Type.Object(
      { inQuery: Type.Boolean({ default: false, description: 'Accept ?key= and ?api_key= (R-01).' }) },
      section('How keys are presented.'),
    ),
    packages: Type.Object(
      {
        discover: packageSchema({ rate: 10, quota: 10_000 }),
        growth: packageSchema({ rate: 25, quota: 50_000 }),
        scale: packageSchema({ rate: 50, quota: 200_000 }),
        innovate: packageSchema({ rate: 100, extra: true }),
        transform: packageSchema({ rate: 100, extra: true }),
      } satisfies Record<(typeof packageNames)[number], unknown>,
      section('What a package may call, and how much (R-03, R-04).'),
    ),
    search: Type.Object(
      {
        rate: Type.Number({
          exclusiveMinimum: 0,
          default: 1,
          description: 'Searches per second, sustained (SPEC §8.3).',
        }),
        burst: Type.Integer({ minimum: 1, default: 5, description: 'Searches at once from idle.' }),
        quota: Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('unlimited')], {
          default: 86_400,
          description: 'Searches per 24-hour window.',
        }),
        countsTowardPackage: Type.Boolean({
          default: false,
          description: 'Searches also use the package rate and quota (R-06).',
        }),
      },
      section('The bucket that all searches share (SPEC §8.3).'),
    ),
    feeds: Type.Object(
      {
        schedule: Type.Enum(['auto', 'manual'], {
          default: 'auto',
          description: 'auto: a serving process builds feeds when they are due; manual: only `periplus feeds build`.',
        }),
        fullEveryHours: Type.Integer({ minimum: 1, default: 168, description: 'How old the newest full may grow.' }),
        deltaEveryHours: Type.Integer({
          minimum: 1,
          default: 24,
          description: 'How old the newest snapshot may grow.',
        }),
        keepFullDays: Type.Integer({
          minimum: 1,
          default: 28,
          description: 'How long fulls are kept; the newest always is.',
        }),
        keepDeltaDays: Type.Integer({ minimum: 1, default: 35, description: 'How long deltas are kept.' }),
        encoding: Type.Enum(['zstd', 'gzip'], { default: 'zstd', description: 'How parts are compressed.' }),
        partMb: Type.Integer({ minimum: 1, maximum: 128, default: 128, description: 'The most that one part takes.' }),
        parallelDownloads: Type.Integer({ minimum: 1, default: 4, description: 'Downloads at once, per key.' }),
        snapshotsPerDay: Type.Integer({
          minimum: 1,
          default: 50,
          description: 'Distinct snapshots that a key may download in a rolling 24 hours.',
        }),
        endedVersions: Type.Array(Type.String({ pattern: '^\\d+$' }), {
          default: [],
          description: 'Versions in which no feed is built or delivered any longer.',
        }),
      },
      section('Deliveries in bulk (R-45).'),
    ),
    import: Type.Object(
      {
        defaultStatus: Type.Enum(['OPEN', 'none'], {
          default: 'OPEN',
          description: 'What a record without a status is (R-22).',
        }),
      },
      section('How records are taken in.'),
    ),
    cache: Type.Object(
      {
        locations: Type.Integer({
          minimum: 1,
          default: 32_768,
          description: 'Locations held in memory, about 4 KB each.',
        }),
        maxAgeSeconds: Type.Integer({
          minimum: 0,
          default: 300,
          description: 'Cache-Control: max-age of answers (R-26).',
        }),
      },
      section('What is remembered, here and by clients.'),
    ),
  },
  section('Everything that can be set.'),
)

/** The whole configuration, checked and frozen. */
export type Config = Type.Static<typeof configSchema>
