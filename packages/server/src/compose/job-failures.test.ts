import { expect, test } from 'vitest'
import { JobFailures } from './job-failures.ts'

test('the failures of jobs are named for ten minutes', () => {
  let nowMs = 0
  const failures = new JobFailures(() => nowMs)
  failures.add('The delivery of events')
  nowMs = 300_000
  failures.addRound({ maintenanceError: new Error('full') })
  failures.addRound({ receiversExist: true })
  expect(failures.notes()).toEqual([
    'The delivery of events failed at 1970-01-01T00:00:00.000Z. It is repeated; the log has the reason.',
    'The maintenance of the stores failed at 1970-01-01T00:05:00.000Z. It is repeated; the log has the reason.',
  ])
  nowMs = 700_000
  expect(failures.notes()).toHaveLength(1)
})
