import { hash } from 'node:crypto'

/** Returns the first digits of the SHA-256 of a text, in hexadecimal. */
export const digestText = (text: string, digits: number): string => hash('sha256', text, 'hex').slice(0, digits)
