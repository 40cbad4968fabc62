import { meters, operationNames } from '../domain/operation.ts'
import { type packageNames, permissions } from '../domain/package.ts'
import { Type } from '../kit/json-schema.ts'
import { section } from './section.ts'

/** Settings of the section `limits`. */
export const limitsSettings = Type.Object(
  {
    penalty: Type.Boolean({
      default: true,
      description: 'Extend the wait of clients that retry in a tight loop (R-10).',
    }),
    penaltyGraceMs: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      default: 500,
      description: 'Grace period after a 429 response, in milliseconds: retries within it do not extend the wait.',
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
      description: 'Maximum burst of requests without a valid key, per address.',
    }),
    shared: Type.Optional(
      Type.String({
        pattern: '^(postgres|(valkeys?|rediss?)://\\S+)$',
        examples: ['valkeys://cache.internal:6380', 'postgres'],
        description:
          'Place of the limit states that all nodes of a database share: the URL of a Valkey 7 or Redis 7 server, or ' +
          'postgres (the database, up to some 10,000 calls per second). Several hosts are Sentinels. The password ' +
          'comes from PERIPLUS_VALKEY_PASSWORD. Default: the limits of the only node.',
      }),
    ),
    whenDown: Type.Enum(['share', 'refuse'], {
      default: 'share',
      description:
        'Behaviour while the shared states cannot be reached: share (each node applies its part of every limit) or ' +
        'refuse (503).',
    }),
  },
  section('Treatment of clients that exceed their limits.'),
)

/** Settings of the section `meters`. */
export const metersSettings = Type.Object(
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
  section('Overrides of the charges of operations (R-08).'),
)

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
          description:
            'Units per 24-hour window. If it is not set, every key requires an agreement that sets the quota (R-04).',
        }),
      ),
      price: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Price of the package, as statements and public pages show it, such as "EUR 49 a month".',
        }),
      ),
    },
    section('Permissions and limits of one package.'),
  )

/** Settings of the section `packages`. */
export const packagesSettings = Type.Object(
  {
    discover: packageSchema({ rate: 10, quota: 10_000 }),
    growth: packageSchema({ rate: 25, quota: 50_000 }),
    scale: packageSchema({ rate: 50, quota: 200_000 }),
    innovate: packageSchema({ rate: 100, extra: true }),
    transform: packageSchema({ rate: 100, extra: true }),
  } satisfies Record<(typeof packageNames)[number], unknown>,
  section('Permissions and limits of the packages (R-03, R-04).'),
)

/** Settings of the section `autocomplete`. */
export const autocompleteSettings = Type.Object(
  {
    enabled: Type.Boolean({ default: true, description: 'Serve search-as-you-type; without it, the path is 404.' }),
  },
  section('Search-as-you-type (R-150).'),
)

/** Settings of the section `search`. */
export const searchSettings = Type.Object(
  {
    rate: Type.Number({
      exclusiveMinimum: 0,
      default: 1,
      description: 'Sustained rate in searches per second (SPEC §8.3).',
    }),
    burst: Type.Integer({ minimum: 1, default: 5, description: 'Maximum burst of searches.' }),
    quota: Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('unlimited')], {
      default: 86_400,
      description: 'Searches per 24-hour window.',
    }),
    countsTowardPackage: Type.Boolean({
      default: false,
      description: 'Count searches toward the rate and quota of the package as well (R-06).',
    }),
    partPlaces: Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      default: 10_000_000,
      description:
        'Places in a part of the search index (R-124). Smaller parts are rebuilt and downloaded separately; results are the same.',
    }),
  },
  section('Limits that all searches of a key share (SPEC §8.3), and the parts of the search index.'),
)

/** Settings of the section `recommendations`. */
export const recommendationsSettings = Type.Object(
  {
    vectors: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Path of a module that turns sentences into vectors, with which recommendations find similar words (R-158).',
      }),
    ),
  },
  section('Recommendations.'),
)
