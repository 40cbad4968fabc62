/** Path of the page of all feeds, below the base path. */
export const feedsPath = '/console/feeds'
