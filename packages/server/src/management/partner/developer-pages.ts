import { keyPages } from './keys/pages.ts'

/** Pages with which a partner's developers look after keys. */
export const developerPages = [...keyPages]
