import { expect, test } from 'vitest'
import type { EventQueue } from '../domain/event-store.ts'
import type { DueMail, MailSettlement } from '../domain/queued-mail.ts'
import { sendDueMails } from './mail-events.ts'

const event = { seq: 1, id: 'evt_1', type: 'key.created', partnerId: 'p', atMs: 0, data: { key_id: 'k' } } as const
const mail = (attempts: number): DueMail => ({ no: attempts, userId: 'user_1', to: 'ann@example.org', event, attempts })

test('a mail that the server refuses is repeated later, eight times; its address is in no error', async () => {
  const settled: MailSettlement[] = []
  const queue = {
    dueMails: async () => [mail(0), mail(8)],
    settleMail: async (settlement: MailSettlement) => void settled.push(settlement),
  } as unknown as EventQueue
  const errors: unknown[] = []
  const mailer = {
    send: async () => {
      throw Object.assign(new Error('550 <ann@example.org> unknown'), { code: 'EENVELOPE' })
    },
    close: () => {},
  }
  await sendDueMails({ queue, mailer, nowMs: () => 1000, random: () => 0 }, error => errors.push(error))
  expect(settled).toEqual([
    { no: 0, state: 'pending', nextMs: 6000 },
    { no: 8, state: 'failed' },
  ])
  expect(errors.map(String)).toEqual(Array(2).fill('Error: The SMTP server did not accept a mail (EENVELOPE).'))
})
