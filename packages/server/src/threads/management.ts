/** The management thread: serves the portal, the console and the admin API, with an engine of its own. */
import { askLiveState } from '../compose/live-questions.ts'
import { openManagement } from '../compose/management.ts'
import type { ManagementEvent, ManagementTask } from '../compose/management-thread.ts'
import { type Answer, Asker } from '../compose/questions.ts'
import type { LiveState } from '../domain/live-state.ts'
import { runThread } from '../kit/inside-thread.ts'

await runThread<ManagementTask, ManagementEvent>(async ({ data, emit, stopping, serve }) => {
  const asker = new Asker<LiveState>(question => emit({ question }))
  serve<Answer, void>(async answer => asker.receive(answer))
  const stopped = new Promise(resolve => stopping.addEventListener('abort', resolve))
  const management = await openManagement(data, askLiveState(asker), emit)
  await stopped
  await management.close()
})
