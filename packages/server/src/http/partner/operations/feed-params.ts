import { choice } from '../../../versions/primitives/choice-params.ts'
import { type ParamSet, required, withDefault } from '../../../versions/primitives/param.ts'
import { integer } from '../../../versions/primitives/single-params.ts'

/** The parameters of the feed operations, which are the same in every version. */
export const feedParams = {
  listFeeds: {},
  getLatestFeedManifest: {
    kind: withDefault(choice(['full', 'delta'], { description: 'Kind of snapshot.' }), 'full'),
  },
  listFeedDeltas: {
    after: required(
      integer({
        minimum: 0,
        description: 'Sequence number of the snapshot that the client has; 0 for all available deltas.',
      }),
      'the sequence number of the snapshot that you have, from its manifest, or 0 for all available deltas',
    ),
  },
  listFeedSnapshots: {},
  getFeedManifest: {},
  downloadFeedFile: {},
} satisfies Readonly<Record<string, ParamSet>>

/** An operation of feeds. */
export type FeedOperation = keyof typeof feedParams

export const isFeedOperation = (operation: string): operation is FeedOperation => Object.hasOwn(feedParams, operation)
