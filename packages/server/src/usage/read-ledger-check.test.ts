import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { hourMs } from '../kit/time.ts'
import { openEngine } from '../store/engine.ts'
import { checkLedger } from './check-ledger.ts'
import { JournalFold } from './fold.ts'
import { Journal } from './journal.ts'
import { journalPath, listJournalSync } from './journal-files.ts'
import { journalIn } from './journal-reader.ts'
import { readLedgerCheckInput } from './read-ledger-check.ts'
import { record, someTimeMs } from './records.fixture.ts'

it('a dropped file between others, as of a node whose files are in the journal of a folder, is not compared', async () => {
  const root = mkdtempSync(join(tmpdir(), 'periplus-check-'))
  const engine = openEngine({ kind: 'sqlite', folder: root }, { create: true })
  onTestFinished(async () => {
    await engine.close()
    rmSync(root, { recursive: true })
  })
  const folder = join(root, 'journal')
  const journal = new Journal(folder, { rotateBytes: 1 })
  for (const hours of [0, 5, 10, 15]) await journal.append(record({ timeMs: someTimeMs + hours * hourMs }))
  await journal.close()
  const fold = new JournalFold(journalIn(folder), engine.ledger)
  await fold.run()
  const check = async () => checkLedger(await readLedgerCheckInput(journalIn(folder), engine.ledger))
  expect(await check()).toEqual([])
  const [first, second, third] = listJournalSync(folder).map(({ number }) => number)
  await fold.markDropped([second!])
  rmSync(journalPath(folder, second!))
  expect(await check()).toEqual([])
  // What follows is compared.
  await fold.markDropped([])
  rmSync(journalPath(folder, third!))
  expect(await check()).toHaveLength(1)
  expect(first).toBe(1)
})
