/**
 * The delivery thread: makes location events, and sends the events of the outbox to webhooks and by mail. It opens a
 * separate engine, so that no serving thread waits for a disk or a receiver.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { DeliveryTask, DeliveryThreadEvent } from '../compose/delivery-thread.ts'
import { findLocationSubscribers } from '../compose/location-subscribers.ts'
import { createWebhookBox } from '../compose/webhooks.ts'
import { Deliveries } from '../delivery/deliver.ts'
import { LocationChanges } from '../delivery/location-changes.ts'
import { sendDueMails } from '../delivery/mail-events.ts'
import { createMailer, type Mailer } from '../delivery/mailer.ts'
import { createWebhookSender } from '../delivery/post.ts'
import { mailRule } from '../events/mail.ts'
import { systemClock } from '../kit/clock.ts'
import { runThread } from '../kit/inside-thread.ts'
import { repeat } from '../kit/repeat.ts'
import { openEngine } from '../store/engine.ts'

/** Interval between checks for due deliveries, in milliseconds. */
const deliverEveryMs = 250
/** Interval between checks for changed places, and for due mails, in milliseconds. */
const checkEveryMs = 1000
/** Maximum wait for running deliveries at the end, in milliseconds; the next process repeats them. */
const endWithinMs = 1000

const { nowMs } = systemClock

await runThread<DeliveryTask, DeliveryThreadEvent>(async ({ data: task, emit, stopping }) => {
  const engine = openEngine(task.engine, { create: false, onReplaced: replaced => emit({ replaced }) })
  const onError = (error: unknown) => emit({ error: error instanceof Error ? error : new Error(String(error)) })
  const mailer = openMailer(task, onError)
  const deliveries = new Deliveries({
    queue: engine.events,
    sender: createWebhookSender(task.policy, nowMs),
    secrets: createWebhookBox(task.config),
    nowMs,
    random: Math.random,
    ...(mailer && { mailRule }),
    onError,
  })
  const sendMails = async () => {
    if (mailer) await sendDueMails({ queue: engine.events, mailer, nowMs, random: Math.random }, onError)
  }
  const places = new LocationChanges({
    changes: engine.changes,
    locations: engine.locations,
    queue: engine.events,
    subscribers: () => findLocationSubscribers(engine),
    nowMs,
  })
  const placeRounds = repeat(() => places.run(), { everyMs: checkEveryMs, onError })
  const mailRounds = repeat(sendMails, { everyMs: checkEveryMs, onError })
  while (!stopping.aborted) {
    await deliveries.start().catch(onError)
    await Promise.race([deliveries.oneEnded(), delay(deliverEveryMs, undefined, { signal: stopping }).catch(() => {})])
  }
  await Promise.race([Promise.all([placeRounds.stop(), mailRounds.stop()]), delay(endWithinMs)])
  await Promise.race([deliveries.ended(), delay(endWithinMs)])
  await engine.close()
  // Requests to slow receivers would keep the thread alive.
  process.exit()
})

/** Returns the mailer; undefined without an SMTP server, or if the file of its password cannot be read. */
function openMailer({ config, sendsMail }: DeliveryTask, onError: (error: unknown) => void): Mailer | undefined {
  try {
    return sendsMail ? createMailer(config.mail) : undefined
  } catch (error) {
    onError(error)
    return undefined
  }
}
