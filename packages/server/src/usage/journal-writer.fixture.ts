/**
 * Appends to the journal in the folder given as argument until it is killed. Prints the id of each written record. With
 * a second argument, two more threads append, and one of them ends and is replaced again and again.
 */
import { writeSync } from 'node:fs'
import { isMainThread, threadId, Worker, workerData } from 'node:worker_threads'
import type { UsageJournal } from '../domain/usage.ts'
import { Journal } from './journal.ts'
import { allocateJournalEnd, type JournalEndMemory } from './journal-end.ts'
import { JournalWriter } from './journal-writer.ts'
import { record } from './records.fixture.ts'

let made = 0

/** Writes a line; retries while the pipe is full. */
function print(line: string): void {
  for (;;) {
    try {
      writeSync(1, line)
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
  }
}

async function calls(journal: UsageJournal): Promise<void> {
  for (;;) {
    const requestId = `${process.pid}-${threadId}-${++made}`
    if ((await journal.append(record({ requestId }))) === 'written') print(`${requestId}\n`)
  }
}

const callAlways = (journal: UsageJournal) => Promise.all(Array.from({ length: 8 }, () => calls(journal)))

interface Task {
  readonly memory: JournalEndMemory
  readonly thread: number
}

function startThread(task: Task, journal: Journal): void {
  const worker = new Worker(new URL(import.meta.url), { workerData: task })
  worker.on('exit', () => {
    journal.releaseFor(task.thread)
    startThread(task, journal)
  })
  if (task.thread === 3) worker.on('online', () => setTimeout(() => void worker.terminate(), 20))
}

if (isMainThread) {
  const memory = allocateJournalEnd()
  const isShared = process.argv[3] !== undefined
  const journal = new Journal(process.argv[2]!, { rotateBytes: 50_000, ...(isShared && { memory }) })
  if (isShared) for (const thread of [2, 3]) startThread({ memory, thread }, journal)
  await callAlways(journal)
} else {
  await callAlways(new JournalWriter({ ...(workerData as Task), endOfTurn: setImmediate }))
}
