/** The buckets with a rate and a quota; feed downloads have separate limits. Stored states name them. */
export const limitBuckets = ['package', 'search', 'autocomplete'] as const
export type LimitedBucket = (typeof limitBuckets)[number]

/** Returns a value for each bucket. */
export const forEachBucket = <T>(create: (bucket: LimitedBucket) => T): Readonly<Record<LimitedBucket, T>> => ({
  package: create('package'),
  search: create('search'),
  autocomplete: create('autocomplete'),
})
