/** kill -9 in approve, rotate and invite: no half state, and no event is lost. */
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { createRandom } from '../../src/kit/random.ts'
import { linesUntilKilled, programKilledAt } from '../kills.ts'
import { filesOf } from '../store-files.ts'
import { configFor, makeFolder, scratch } from '../world.ts'

const program = fileURLToPath(new URL('./changes-program.ts', import.meta.url))

/** Compares the rows of a folder with its audit and outbox, and with the lines that the killed program printed. */
function check(data: string, lines: readonly string[]): void {
  const db = new Database(filesOf(data).control, { readonly: true })
  const all = <T>(sql: string) => db.prepare<[], T>(sql).all()
  const list = (sql: string) => db.prepare<[], string>(sql).pluck().all()
  const audit = (action: string) => list(`SELECT target FROM audit WHERE action = '${action}' ORDER BY seq`)
  const approved = list("SELECT id FROM upgrade_requests WHERE state = 'approved' ORDER BY id")
  expect(audit('upgrade.approve')).toEqual(approved)
  expect(list("SELECT data ->> 'upgrade_id' FROM outbox WHERE type = 'upgrade.approved' ORDER BY seq")).toEqual(
    approved,
  )
  expect(list("SELECT data ->> 'upgrade_id' FROM outbox WHERE type = 'upgrade.requested' ORDER BY seq")).toEqual(
    list('SELECT id FROM upgrade_requests ORDER BY id'),
  )
  expect(audit('key.change')).toHaveLength(approved.length)
  const [key] = all<{ quota: number | null; revision: number }>(
    "SELECT agreement ->> 'quota' AS quota, revision FROM keys",
  )
  const rotations = audit('key.rotate').length
  expect(key).toEqual({
    quota: approved.length === 0 ? null : 10_000 + approved.length,
    revision: 1 + approved.length + rotations,
  })
  const secrets = all<{ last4: string; isOpen: 0 | 1 }>(
    'SELECT last4, expires_ms IS NULL AS isOpen FROM key_secrets ORDER BY id',
  )
  expect(secrets.map(({ isOpen }) => isOpen)).toEqual([...Array(rotations).fill(0), 1])
  expect(list("SELECT id FROM outbox WHERE type = 'key.rotated'")).toHaveLength(rotations)
  const invited = list("SELECT email FROM links WHERE purpose = 'invitation'")
  expect(audit('user.invite')).toHaveLength(invited.length)
  const has: Record<string, (subject: string, last4: string | undefined) => boolean> = {
    approve: id => approved.includes(id),
    rotate: (_, last4) => secrets.some(secret => secret.last4 === last4),
    invite: email => invited.includes(email),
  }
  // Each change that was acknowledged is stored.
  expect(lines.filter(line => !has[line.split(' ')[0]!]!(line.split(' ')[1]!, line.split(' ')[2]))).toEqual([])
  db.close()
}

test('at random moments: each change is stored as a whole with its audit line and event, or not at all', async () => {
  const seed = Date.now() % 1_000_000
  const random = createRandom(seed)
  const folders = [scratch(), scratch()]
  for (const { path } of folders) makeFolder(configFor(path))
  const [atLine, atCommit] = [5 + Math.floor(random() * 40), 3 + Math.floor(random() * 40)]
  const [lines] = await Promise.all([
    linesUntilKilled(atLine, program, folders[0]!.path),
    programKilledAt(`commit control.sqlite#${atCommit}`, program, folders[1]!.path),
  ])
  expect(lines.length, `seed ${seed}`).toBeGreaterThan(4)
  check(folders[0]!.path, lines)
  check(folders[1]!.path, [])
  for (const { remove } of folders) remove()
})
