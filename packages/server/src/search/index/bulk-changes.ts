/** More changes than this mean that an import is running, which brings an index of its own when it ends. */
export const bulkChanges = 20_000
