/** Share of the sentences of reviews from which a word says nothing, unless it is one of a concept. */
export const commonShare = 0.08
