import { Type } from '../kit/json-schema.ts'
import { section } from './section.ts'

/** Settings of the section `mail`. */
export const mailSettings = Type.Object(
  {
    host: Type.Optional(
      Type.String({ minLength: 1, description: 'SMTP server. Default: no mail; invitations show their link.' }),
    ),
    port: Type.Integer({
      minimum: 1,
      maximum: 65535,
      default: 587,
      description: 'Port of the SMTP server; 465 uses TLS from the start.',
    }),
    user: Type.Optional(Type.String({ minLength: 1, description: 'User name at the SMTP server.' })),
    passwordFile: Type.Optional(Type.String({ minLength: 1, description: 'File with the password of that user.' })),
    from: Type.Optional(
      Type.String({
        pattern: '^[^\\r\\n]*[^@\\s]+@[^@\\s]+$',
        examples: ['Places <places@example.org>'],
        description: 'Sender of all mail; required with mail.host.',
      }),
    ),
  },
  section('Outgoing mail.'),
)
