/** A serving thread next to the first one: listens on the same port and serves partners (ARCHITECTURE.md). */
import type { ServingEvent, ServingMessage, ServingReply, ServingTask } from '../compose/serving-messages.ts'
import { openServingThread } from '../compose/serving-thread.ts'
import { runThread } from '../kit/inside-thread.ts'

await runThread<ServingTask, ServingEvent>(async ({ data, emit, stopping, serve }) => {
  const stopped = new Promise(resolve => stopping.addEventListener('abort', resolve))
  const thread = openServingThread(data, emit)
  serve<ServingMessage, ServingReply>(message => thread.receive(message))
  emit({ started: true })
  await stopped
  await thread.close()
})
