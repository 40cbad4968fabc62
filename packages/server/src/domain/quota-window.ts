/** Length of a quota window, in milliseconds (SPEC §8.2). */
export const windowMs = 86_400_000
