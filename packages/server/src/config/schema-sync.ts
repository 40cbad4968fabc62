import { Type } from '../kit/json-schema.ts'

/** Setting of the syncs from databases and from the feeds of other services. */
export const syncSetting = Type.Array(
  Type.Object(
    {
      name: Type.String({
        pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$',
        examples: ['hotels'],
        description: 'Name of the sync, and source of its records.',
      }),
      from: Type.String({
        pattern: '^(https?|postgres(ql)?)://\\S+$',
        examples: ['postgres://reader@db.internal/hotels', 'https://places.example.com'],
        description: 'URL of a PostgreSQL database without a password, or of a Periplus service.',
      }),
      secretFile: Type.Optional(
        Type.String({
          minLength: 1,
          description:
            'File with the password of the database, or with the API key of the service. A database also takes the ' +
            'password from PGPASSWORD or the pass file of PostgreSQL.',
        }),
      ),
      query: Type.Optional(
        Type.String({
          minLength: 1,
          examples: ['SELECT * FROM hotels'],
          description: 'Of a database: SELECT of the rows, without a condition on the cursor.',
        }),
      ),
      cursor: Type.Optional(
        Type.String({
          minLength: 1,
          examples: ['updated_at'],
          description: 'Of a database: column that grows with every change of a row.',
        }),
      ),
      overlap: Type.Optional(
        Type.String({
          pattern: '^\\d{1,12}( ?(seconds?|minutes?|hours?|days?))?$',
          examples: ['5 minutes', '"1000"'],
          description:
            'Of a database: how far before the cursor each run reads again, for transactions that commit late: a time, ' +
            'or a number for a cursor that is a number. Default: 5 minutes, or 1000.',
        }),
      ),
      kind: Type.Optional(
        Type.Enum(['locations', 'reviews'], { description: 'Of a database: kind of the records. Default: detected.' }),
      ),
      map: Type.Record(Type.String(), Type.String(), {
        default: {},
        description: 'Of a database: fields and the columns that they are read from, such as {name: title}.',
      }),
      everySeconds: Type.Integer({
        minimum: 10,
        maximum: 604_800,
        default: 300,
        description: 'Time between two runs, in seconds.',
      }),
      timeoutSeconds: Type.Integer({
        minimum: 1,
        maximum: 86_400,
        default: 600,
        description: 'Of a database: maximum time of a statement, in seconds.',
      }),
    },
    { additionalProperties: false },
  ),
  {
    default: [],
    description:
      'Syncs that the service runs: each reads what has changed in a database, or in the feeds of another service (R-165).',
  },
)
