/** Appends to the journal in the folder given as argument until it is killed. Prints the id of each written record. */
import { writeSync } from 'node:fs'
import { Journal } from './journal.ts'
import { record } from './records.fixture.ts'

const journal = new Journal(process.argv[2]!, { rotateBytes: 50_000 })
let made = 0

async function calls(): Promise<void> {
  for (;;) {
    const requestId = `${process.pid}-${++made}`
    if ((await journal.append(record({ requestId }))) === 'written') writeSync(1, `${requestId}\n`)
  }
}

await Promise.all(Array.from({ length: 8 }, calls))
