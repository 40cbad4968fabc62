import { Type } from '../kit/json-schema.ts'
import { section } from './section.ts'

/** Settings of the section `server`. */
export const serverSettings = Type.Object(
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
    writeTimeoutMs: Type.Integer({
      minimum: 100,
      maximum: 600_000,
      default: 20_000,
      description:
        'Time after which a connection ends if its client reads nothing of a response, in milliseconds (R-54).',
    }),
    maxUnsentMbPerKey: Type.Integer({
      minimum: 1,
      default: 32,
      description:
        'Maximum size of the responses that the clients of one key have not read yet, in MB; above it, requests get 429 (R-54).',
    }),
    maxConnectionsPerAddress: Type.Integer({
      minimum: 1,
      default: 8192,
      description:
        'Maximum number of open connections of one IPv4 address or IPv6 /64 network; further ones are closed at once. Trusted proxies have no limit (R-54).',
    }),
    profile: Type.Enum(['none', 'terra'], {
      default: 'none',
      description:
        'Also answer clients that were written for another API: `terra` serves the paths and forms of Terra below /api (R-171).',
    }),
    fastPath: Type.Boolean({
      default: true,
      description:
        'Read simple GET requests without the HTTP server of Node, and answer reads by id in front of the router. The responses are the same without it.',
    }),
    threads: Type.Integer({
      minimum: 1,
      maximum: 64,
      default: 1,
      description:
        'Number of threads that serve the partner port. More than one needs a system that can share a port between sockets (SO_REUSEPORT), such as Linux (R-100).',
    }),
    drainMs: Type.Integer({
      minimum: 0,
      maximum: 600_000,
      default: 10_000,
      description: 'Maximum wait for requests in progress after SIGTERM, in milliseconds.',
    }),
    idleGraceMs: Type.Integer({
      minimum: 0,
      maximum: 600_000,
      default: 1000,
      description:
        'Time for which idle connections stay open after SIGTERM, in milliseconds, for requests that are in flight.',
    }),
    lockWaitMs: Type.Integer({
      minimum: 0,
      maximum: 600_000,
      default: 0,
      description:
        'Maximum wait at startup for the lock of the data folder, which another process may still hold, in milliseconds.',
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
)
