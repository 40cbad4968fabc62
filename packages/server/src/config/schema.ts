import Type from 'typebox'
import { versionStatuses } from '../domain/lifecycle.ts'
import { meters, operationNames } from '../domain/operation.ts'
import { type packageNames, permissions } from '../domain/package.ts'

/** Returns the schema options of a group of settings, which is optional and allows no unknown settings. */
const section = (description: string) => ({ additionalProperties: false, default: {}, description })

const packageSchema = (defaults: { rate: number; quota?: number; extra?: boolean }) =>
  Type.Object(
    {
      permissions: Type.Array(Type.Enum(permissions), {
        default: defaults.extra ? [...permissions] : ['locations', 'reviews'],
        description: 'Permissions of the keys of this package, without add-ons.',
      }),
      rate: Type.Number({
        exclusiveMinimum: 0,
        maximum: 1_000_000,
        default: defaults.rate,
        description: 'Sustained rate in requests per second.',
      }),
      quota: Type.Optional(
        Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('unlimited')], {
          ...(defaults.quota !== undefined && { default: defaults.quota }),
          description: 'Units per 24-hour window. Without it, every key needs an agreement that sets the quota (R-04).',
        }),
      ),
    },
    section('Permissions and limits of one package.'),
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
  deprecated: moment('Start of the deprecation (R-18): a date or date-time in UTC.'),
  sunset: moment('Time from which it returns 410: a date or date-time in UTC.'),
}

/** Schema of all settings with types, bounds, defaults and descriptions. Validation and `config print` use it. */
export const configSchema = Type.Object(
  {
    data: Type.String({ default: './periplus-data', description: 'Path of the data folder.' }),
    server: Type.Object(
      {
        host: Type.String({ default: '127.0.0.1', description: 'Address to listen on.' }),
        port: Type.Integer({
          minimum: 0,
          maximum: 65535,
          default: 8080,
          description: 'Port to listen on; 0 selects a free port.',
        }),
        basePath: Type.String({
          default: '/',
          pattern: '^/',
          examples: ['/', '/places'],
          description: 'Path prefix of all URLs.',
        }),
        trustedProxies: Type.Array(Type.String(), {
          default: [],
          description: 'Addresses and networks of proxies whose X-Forwarded-For header is trusted.',
        }),
        publicUrl: Type.Optional(
          Type.String({
            pattern: '^https?://[^\\s/]+',
            examples: ['https://places.example.org'],
            description: 'Public URL of the service (R-34). Default: the listening address.',
          }),
        ),
        logLevel: Type.Enum(['debug', 'info', 'warn', 'error', 'silent'], {
          default: 'info',
          description: 'Lowest severity that is logged.',
        }),
        drainMs: Type.Integer({
          minimum: 0,
          maximum: 600_000,
          default: 10_000,
          description: 'Maximum wait for open requests after SIGTERM, in milliseconds.',
        }),
        idleGraceMs: Type.Integer({
          minimum: 0,
          maximum: 600_000,
          default: 1000,
          description:
            'Time for which idle connections stay open after SIGTERM, in milliseconds; a request may be on its way.',
        }),
        lockWaitMs: Type.Integer({
          minimum: 0,
          maximum: 600_000,
          default: 0,
          description:
            'Maximum wait at startup for another process that serves the data folder to end, in milliseconds.',
        }),
        adminPort: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 65535,
            description: 'Admin port with /metrics, /healthz and /readyz. Default: no admin port.',
          }),
        ),
        adminHost: Type.String({ default: '127.0.0.1', description: 'Address of the admin port.' }),
      },
      section('Listening address, startup and shutdown.'),
    ),
    limits: Type.Object(
      {
        penalty: Type.Boolean({
          default: true,
          description: 'Extend the wait of clients that retry in a tight loop (R-10).',
        }),
        penaltyGraceMs: Type.Integer({
          minimum: 0,
          maximum: 10_000,
          default: 500,
          description: 'Time after a refusal in which requests count as sent before it, in milliseconds.',
        }),
        penaltyCapSeconds: Type.Integer({
          minimum: 1,
          maximum: 60,
          default: 60,
          description: 'Maximum extension of the wait by one request, in seconds.',
        }),
        badKeyRate: Type.Number({
          exclusiveMinimum: 0,
          default: 20,
          description: 'Sustained rate of requests without a valid key, in requests per second and address.',
        }),
        badKeyBurst: Type.Integer({
          minimum: 1,
          default: 100,
          description: 'Burst of requests without a valid key, per address.',
        }),
      },
      section('Treatment of clients that exceed their limits.'),
    ),
    meters: Type.Object(
      Object.fromEntries(
        operationNames.map(name => [
          name,
          Type.Optional(
            Type.Object(
              {
                meter: Type.Enum(meters, { description: `Unit of charge of ${name} (R-08).` }),
                weight: Type.Optional(
                  Type.Integer({ minimum: 0, default: 1, description: 'Units charged for one call or entity.' }),
                ),
              },
              { additionalProperties: false },
            ),
          ),
        ]),
      ),
      section('Charges of operations that differ from the defaults (R-08).'),
    ),
    versions: Type.Record(
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
        description: 'Lifecycle of versions that differs from the release, such as {"2": {status: stable}}.',
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
    ),
    journal: Type.Object(
      {
        keepDays: Type.Integer({ minimum: 1, default: 100, description: 'Days for which the journal is kept.' }),
        maxMb: Type.Integer({
          minimum: 64,
          default: 10_240,
          description: 'Maximum size of the journal in MB; records of calls without a charge are deleted first.',
        }),
      },
      section('Usage journal: a record of every call.'),
    ),
    cors: Type.Object(
      {
        origins: Type.Array(
          Type.String({ pattern: '^(\\*|[a-z][a-z0-9+.-]*://[^/\\s]+)$', examples: ['https://app.example', '*'] }),
          {
            default: [],
            description: 'Origins that browsers may send requests from, such as https://app.example; "*" for all.',
          },
        ),
        maxAgeSeconds: Type.Integer({
          minimum: 0,
          default: 86_400,
          description: 'Time for which browsers may cache a preflight response, in seconds.',
        }),
      },
      section('Requests from browsers (R-27).'),
    ),
    keys: Type.Object(
      { inQuery: Type.Boolean({ default: false, description: 'Accept API keys in ?key= and ?api_key= (R-01).' }) },
      section('API keys in requests.'),
    ),
    packages: Type.Object(
      {
        discover: packageSchema({ rate: 10, quota: 10_000 }),
        growth: packageSchema({ rate: 25, quota: 50_000 }),
        scale: packageSchema({ rate: 50, quota: 200_000 }),
        innovate: packageSchema({ rate: 100, extra: true }),
        transform: packageSchema({ rate: 100, extra: true }),
      } satisfies Record<(typeof packageNames)[number], unknown>,
      section('Permissions and limits of the packages (R-03, R-04).'),
    ),
    search: Type.Object(
      {
        rate: Type.Number({
          exclusiveMinimum: 0,
          default: 1,
          description: 'Sustained rate in searches per second (SPEC §8.3).',
        }),
        burst: Type.Integer({ minimum: 1, default: 5, description: 'Burst of searches after an idle time.' }),
        quota: Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('unlimited')], {
          default: 86_400,
          description: 'Searches per 24-hour window.',
        }),
        countsTowardPackage: Type.Boolean({
          default: false,
          description: 'Count searches toward the rate and quota of the package as well (R-06).',
        }),
      },
      section('Limits that all searches of a key share (SPEC §8.3).'),
    ),
    feeds: Type.Object(
      {
        schedule: Type.Enum(['auto', 'manual'], {
          default: 'auto',
          description: 'auto: the service builds feeds when they are due; manual: only `periplus feeds build` does.',
        }),
        fullEveryHours: Type.Integer({
          minimum: 1,
          default: 168,
          description: 'Maximum age of the latest full snapshot, in hours.',
        }),
        deltaEveryHours: Type.Integer({
          minimum: 1,
          default: 24,
          description: 'Maximum age of the latest snapshot, in hours.',
        }),
        keepFullDays: Type.Integer({
          minimum: 1,
          default: 28,
          description: 'Days for which full snapshots are kept; the latest is always kept.',
        }),
        keepDeltaDays: Type.Integer({ minimum: 1, default: 35, description: 'Days for which deltas are kept.' }),
        encoding: Type.Enum(['zstd', 'gzip'], { default: 'zstd', description: 'Compression of feed files.' }),
        partMb: Type.Integer({
          minimum: 1,
          maximum: 128,
          default: 128,
          description: 'Maximum size of one feed file, in MB.',
        }),
        parallelDownloads: Type.Integer({
          minimum: 1,
          default: 4,
          description: 'Maximum number of concurrent downloads per key.',
        }),
        snapshotsPerDay: Type.Integer({
          minimum: 1,
          default: 50,
          description: 'Maximum number of distinct snapshots that a key may download in a rolling 24 hours.',
        }),
        endedVersions: Type.Array(Type.String({ pattern: '^\\d+$' }), {
          default: [],
          description: 'Versions in which feeds are no longer built or delivered.',
        }),
      },
      section('Bulk delivery (R-45).'),
    ),
    import: Type.Object(
      {
        defaultStatus: Type.Enum(['OPEN', 'none'], {
          default: 'OPEN',
          description: 'Status of records without one (R-22).',
        }),
      },
      section('Import of records.'),
    ),
    cache: Type.Object(
      {
        locations: Type.Integer({
          minimum: 1,
          default: 32_768,
          description: 'Maximum number of locations in the memory cache; each takes about 4 KB.',
        }),
        maxAgeSeconds: Type.Integer({
          minimum: 0,
          default: 300,
          description: 'max-age of responses in Cache-Control, in seconds (R-26).',
        }),
      },
      section('Caches of the service and of clients.'),
    ),
  },
  section('All settings.'),
)

/** A valid configuration, frozen. */
export type Config = Type.Static<typeof configSchema>
