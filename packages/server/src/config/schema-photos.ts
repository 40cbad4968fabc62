import { Type } from '../kit/json-schema.ts'
import { section } from './section.ts'

/** Settings of the section `photos`. */
export const photosSettings = Type.Object(
  {
    cache: Type.Object(
      {
        maxMb: Type.Integer({
          minimum: 0,
          default: 0,
          description:
            'Maximum size of the pictures in MB that each node fetches from their sources, makes in four sizes, and ' +
            'keeps in its data folder. 0: clients load pictures from their sources. Requires the package sharp.',
        }),
        maxSourceMb: Type.Integer({
          minimum: 1,
          maximum: 100,
          default: 15,
          description: 'Maximum size of a picture at its source in MB; larger ones are not fetched.',
        }),
        allowPrivate: Type.Boolean({
          default: false,
          description: 'Fetch pictures from private addresses as well, for sources in your own network.',
        }),
      },
      section('Pictures that the service keeps (R-167).'),
    ),
  },
  section('Photos of locations.'),
)
