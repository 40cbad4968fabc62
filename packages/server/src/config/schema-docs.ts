import { Type } from '../kit/json-schema.ts'
import { section } from './section.ts'

const url = (path: string, description: string) =>
  Type.Optional(
    Type.String({ pattern: '^https?://[!-~]+$', examples: [`https://places.example.org/${path}`], description }),
  )

/** Settings of the section `docs`. */
export const docsSettings = Type.Object(
  {
    contact: Type.Object(
      {
        name: Type.Optional(
          Type.String({ pattern: '\\S', examples: ['Places team'], description: 'Name of the contact.' }),
        ),
        email: Type.Optional(
          Type.String({
            pattern: '^[^@\\s]+@[^@\\s]+$',
            examples: ['places@example.org'],
            description: 'E-mail address of the contact.',
          }),
        ),
        url: url('contact', 'Web page of the contact.'),
      },
      section('Contact for partners.'),
    ),
    terms: url('terms', 'Web page with the terms of service.'),
  },
  section('Contact and terms in the OpenAPI documents; left out unless they are set.'),
)
