import { Thread, type ThreadOptions } from './thread.ts'

/**
 * Runs one request in a dedicated thread. An aborted signal stops the thread, which rejects with ThreadUnavailable or,
 * within `stopWithinMs`, with the error of the handler.
 */
export async function requestInThread<Request, Result, Event = never>(
  options: Omit<ThreadOptions<Event>, 'running'>,
  request: Request,
  signal?: AbortSignal,
): Promise<Result> {
  const thread = new Thread<Request, Result, Event>({ ...options, running: 'on-request' })
  const stop = () => void thread.stop()
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  try {
    return await thread.request(request)
  } finally {
    signal?.removeEventListener('abort', stop)
    await thread.stop()
  }
}
