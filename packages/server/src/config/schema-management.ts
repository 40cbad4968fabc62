import { Type } from '../kit/json-schema.ts'
import { section } from './section.ts'

const oidcSettings = Type.Object(
  {
    issuer: Type.Optional(
      Type.String({
        pattern: '^https?://[!-~]+$',
        examples: ['https://login.example.org'],
        description: 'Issuer of the OpenID Connect provider. Default: no sign-in by OpenID Connect.',
      }),
    ),
    clientId: Type.Optional(Type.String({ minLength: 1, description: 'Client id of Periplus at the provider.' })),
    clientSecretFile: Type.Optional(
      Type.String({ minLength: 1, description: 'File with the client secret. Default: a public client.' }),
    ),
    emailDomains: Type.Array(Type.String({ pattern: '^[^@\\s]+\\.[^@\\s]+$', examples: ['example.org'] }), {
      default: [],
      description: 'Domains of verified e-mail addresses that become staff at their first sign-in.',
    }),
    role: Type.Enum(['operator', 'support'], {
      default: 'support',
      description: 'Role of staff that the provider brings.',
    }),
  },
  section('Sign-in by OpenID Connect.'),
)

/** Settings of the section `management`. */
export const managementSettings = Type.Object(
  {
    enabled: Type.Boolean({
      default: true,
      description: 'Serve the portal, the console and the admin API. If false, they have no paths and no thread.',
    }),
    port: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 65535,
        description:
          'Separate port of the management server; 0 selects a free port. Default: the port of the partner API.',
      }),
    ),
    host: Type.String({ default: '127.0.0.1', description: 'Address of that separate port.' }),
    publicUrl: Type.Optional(
      Type.String({
        pattern: '^https?://[^\\s/]+',
        examples: ['https://manage.example.org'],
        description: 'Public URL of the management server. Default: server.publicUrl, or the URL of the separate port.',
      }),
    ),
    insecureHttp: Type.Boolean({
      default: false,
      description: 'Allow sign-in over plain http from other machines; passwords then travel unencrypted.',
    }),
    secondFactor: Type.Enum(['optional', 'staff', 'all'], {
      default: 'optional',
      description: 'Users that must have a second factor.',
    }),
    sessionIdleHours: Type.Number({
      exclusiveMinimum: 0,
      maximum: 720,
      default: 12,
      description: 'Hours without a request after which a session ends.',
    }),
    sessionMaxDays: Type.Number({
      exclusiveMinimum: 0,
      maximum: 365,
      default: 30,
      description: 'Days after which a session ends in any case.',
    }),
    oidc: oidcSettings,
  },
  section('Management server: portal, console and admin API.'),
)
