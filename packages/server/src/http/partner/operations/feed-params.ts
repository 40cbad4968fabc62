import { choice, integer, type ParamSet, required, withDefault } from '../../../versions/primitives/param.ts'

/** The parameters of the feed operations, which are the same in every version. */
export const feedParams = {
  getLatestFeedManifest: {
    kind: withDefault(choice(['full', 'delta'], { description: 'Kind of snapshot.' }), 'full'),
  },
  listFeedDeltas: {
    after: required(
      integer({
        minimum: 0,
        description: 'Sequence number of the snapshot that the client has; 0 for all available deltas.',
      }),
    ),
  },
} satisfies Readonly<Record<string, ParamSet>>
