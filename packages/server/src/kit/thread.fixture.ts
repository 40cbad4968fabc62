/** Entry file of a thread for tests. `data` determines when it dies; requests determine its actions. */
import { runThread, serveRequests, type ThreadContext } from './inside-thread.ts'

export type ThreadMode = 'serve' | 'run' | 'ignore-stop' | 'exit' | 'throw' | 'return'
export type TestRequest = { readonly echo: unknown } | 'exit' | 'throw' | 'throw-later' | 'fail' | 'hang'

function handle(request: TestRequest, { emit }: ThreadContext<ThreadMode, string>): unknown {
  if (request === 'exit') process.exit(7)
  if (request === 'throw-later') void Promise.reject(new Error('unhandled'))
  if (request === 'throw-later' || request === 'hang') return new Promise(() => {})
  if (request === 'fail') throw new TypeError('no such echo')
  emit('asked')
  return typeof request === 'object' ? request.echo : undefined
}

const { workerData } = await import('node:worker_threads')
if (workerData === 'exit') process.exit(7)
if (workerData === 'throw') throw new Error('cannot open the store')
if (workerData === 'serve') serveRequests<TestRequest, unknown, ThreadMode, string>(handle)
else {
  await runThread<ThreadMode, string>(async ({ data, emit, stopping }) => {
    emit('running')
    if (data === 'return') return
    await new Promise(resolve => {
      const timer = setInterval(() => {}, 1000)
      if (data === 'ignore-stop') return
      stopping.addEventListener('abort', () => {
        clearInterval(timer)
        emit('stopping')
        resolve(undefined)
      })
    })
  })
}
