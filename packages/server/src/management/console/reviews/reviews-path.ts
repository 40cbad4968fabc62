/** Path of the list of reviews below the base path. */
export const reviewsPath = '/console/reviews'
