/** Path of the page of versions below the base path. */
export const versionsPath = '/console/versions'
