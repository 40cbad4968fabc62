import { Type } from '../kit/json-schema.ts'
import { section } from './section.ts'

/** Settings of the section `webhooks`. */
export const webhooksSettings = Type.Object(
  {
    allowPrivate: Type.Boolean({
      default: false,
      description: 'Send webhooks to private addresses and over plain http as well, for receivers in your own network.',
    }),
  },
  section('Webhooks.'),
)
