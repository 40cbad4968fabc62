/** The management thread: serves the portal, the console and the admin API, with an engine of its own. */
import { type LiveAnswer, LiveAsker } from '../compose/live-questions.ts'
import { openManagement } from '../compose/management.ts'
import type { ManagementEvent, ManagementTask } from '../compose/management-thread.ts'
import { runThread } from '../kit/inside-thread.ts'

await runThread<ManagementTask, ManagementEvent>(async ({ data, emit, stopping, serve }) => {
  const asker = new LiveAsker(question => emit({ question }))
  serve<LiveAnswer, void>(async answer => asker.receive(answer))
  const stopped = new Promise(resolve => stopping.addEventListener('abort', resolve))
  const management = await openManagement(data, asker.state, emit)
  await stopped
  await management.close()
})
