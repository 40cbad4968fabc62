/** kill -9 while an event is being delivered: no event is lost, and its repetition has the same id. */
import { expect, test } from 'vitest'
import { periplus, serve } from '../cli.ts'
import { eventually } from '../eventually.ts'
import { startReceiver } from '../receiver.ts'
import { scratch } from '../world.ts'

test('an event whose delivery was killed is delivered by the next process with the same id', async () => {
  const folder = scratch()
  const receiver = await startReceiver()
  const env = { PERIPLUS_WEBHOOKS_ALLOW_PRIVATE: 'true', PERIPLUS_FEEDS_SCHEDULE: 'manual' }
  const run = async (...args: string[]) => {
    const result = await periplus([...args, '--data', folder.path, '--json'], { env })
    if (result.code !== 0) throw new Error(result.stderr)
    return result.json<{ id: string }>()
  }
  await run('webhooks', 'add', receiver.url, '--type', 'key.created')
  let service = await serve(folder.path, [], env)
  // The first request is never answered.
  receiver.answer = () => {}
  const keys = [
    await run('keys', 'create', '--package', 'discover'),
    await run('keys', 'create', '--package', 'growth'),
  ]
  await eventually(() => expect(receiver.received).toHaveLength(2))
  await service.stop('SIGKILL')
  receiver.answer = response => response.writeHead(200).end()
  service = await serve(folder.path, [], env)
  await eventually(() => expect(receiver.received).toHaveLength(4))
  await eventually(async () =>
    expect((await run('webhooks', 'deliveries', '--state', 'delivered')) as object).toMatchObject({ data: [{}, {}] }),
  )
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(ids.slice(2).sort()).toEqual(ids.slice(0, 2).sort())
  const repeated = receiver.received.slice(2).map(({ event }) => event.data.key_id)
  expect(repeated.sort()).toEqual(keys.map(({ id }) => id).sort())
  await service.stop()
  await receiver.close()
  folder.remove()
})
