import { Type } from '../kit/json-schema.ts'
import { section } from './section.ts'

const url = (description: string, example: string) =>
  Type.Optional(Type.String({ pattern: '^(https?://|/)[!-~]+$', examples: [example], description }))

/** Settings of the section `site`. */
export const siteSettings = Type.Object(
  {
    name: Type.String({
      default: 'Periplus',
      minLength: 1,
      maxLength: 60,
      description: 'Name of the service on all pages.',
    }),
    logo: url('Address of the logo, a square image. Default: the mark of Periplus.', 'https://example.com/logo.svg'),
    intro: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'One or two sentences on the landing page: for whom the service is.',
      }),
    ),
    accent: Type.Optional(
      Type.String({
        pattern: '^#[0-9a-fA-F]{6}$',
        examples: ['#0b6477'],
        description:
          'Colour of links and buttons. Its contrast with white must be 4.5:1 or more; dark pages use a lighter tone.',
      }),
    ),
    zone: Type.String({ default: 'UTC', description: 'Time zone of pages whose reader has none.' }),
    contact: Type.Object(
      {
        email: Type.Optional(
          Type.String({
            pattern: '^[^@\\s]+@[^@\\s]+$',
            examples: ['api@example.com'],
            description: 'E-mail address for partners.',
          }),
        ),
        url: url('Page for partners, where keys can be requested.', 'https://example.com/partners'),
      },
      section('Contact on all pages.'),
    ),
    terms: url('Address of the terms of use.', 'https://example.com/terms'),
    privacy: url('Address of the privacy statement.', 'https://example.com/privacy'),
    places: Type.Boolean({
      default: false,
      description: 'Show search, map and places on public pages, without a key. The demo always does.',
    }),
    status: Type.Boolean({ default: true, description: 'Show the public status page.' }),
    index: Type.Boolean({ default: false, description: 'Allow search engines to index the public pages.' }),
  },
  section('Public pages.'),
)

/** Settings of the section `map`. */
export const mapSettings = Type.Object(
  {
    tiles: Type.Optional(
      Type.String({
        pattern: '^https?://[!-~]*\\{z\\}[!-~]*$',
        examples: ['https://tiles.example.com/{z}/{x}/{y}.png'],
        description:
          'URL template of map tiles, which visitors load from that host. Default: coastlines and borders from this service.',
      }),
    ),
    attribution: Type.Optional(
      Type.String({ maxLength: 300, description: 'Attribution of the tiles, shown on the map.' }),
    ),
  },
  section('Maps on pages.'),
)
