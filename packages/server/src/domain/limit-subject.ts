import type { Agreement } from './agreement.ts'

/**
 * Returns the subject that holds the limit states of a key: the key (SPEC §8.1, R-12), or by agreement its partner, as
 * `partner/ID`.
 */
export const getSubject = (key: {
  readonly id: string
  readonly partnerId: string
  readonly agreement: Pick<Agreement, 'subject'>
}): string => (key.agreement.subject === 'partner' ? `partner/${key.partnerId}` : key.id)
