import { choice, integer, type ParamSet, required, withDefault } from '../../../versions/primitives/param.ts'

/** The parameters of the feed operations, which are the same in every version. */
export const feedParams = {
  getLatestFeedManifest: {
    kind: withDefault(choice(['full', 'delta'], { description: 'Which kind of snapshot.' }), 'full'),
  },
  listFeedDeltas: {
    after: required(
      integer({
        minimum: 0,
        description: 'The sequence number of the snapshot that you have; 0 for all that are kept.',
      }),
    ),
  },
} satisfies Readonly<Record<string, ParamSet>>
