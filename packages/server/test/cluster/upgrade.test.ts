/**
 * Releases next to each other as processes, under load: this one, and two later ones, which exist for this test
 * only. PERIPLUS_UPGRADES sets how often a node is upgraded and rolled back (`npm run soak`: 20).
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { newestForm } from '../../src/domain/forms.ts'
import { packageVersion } from '../../src/kit/bundled.ts'
import { createRandom } from '../../src/kit/random.ts'
import { releaseLevel } from '../../src/store/postgres/migrations/all.ts'
import { periplusProcess } from '../cli.ts'
import { query } from '../databases.ts'
import { describeWith } from '../engines.ts'
import { eventually } from '../eventually.ts'
import { suspend } from '../suspend.ts'
import { check } from './check.ts'
import { contractedTable, levelAfter } from './later-release.ts'
import { OpeningNotes } from './openings.ts'
import { readEvidence } from './read-evidence.ts'
import { nodeIdOf, ReleaseNode } from './release-node.ts'
import {
  createReleaseWorld,
  endConnections,
  type Release,
  type ReleaseWorld,
  readBeats,
  readForms,
  readReleases,
  readSchema,
} from './release-world.ts'
import { maxIds, type Target, Traffic } from './traffic.ts'
import { copyNode, work } from './work-process.ts'

const upgrades = Number(process.env.PERIPLUS_UPGRADES ?? 1)
const nextLevel = levelAfter(releaseLevel)
/** Sentence with which the second later release shuts out this one. */
const refusal = `has schema version ${nextLevel + 1}, and this Periplus knows versions up to ${releaseLevel}`

/** Sends calls to all nodes that run. `moreAnswers` waits for admitted calls of each of some nodes. */
function startTraffic({ keys }: ReleaseWorld, nodes: readonly ReleaseNode[]) {
  const admitted = new Map<Target, number>()
  const statuses = new Map<number, number>()
  const traffic = new Traffic({
    targets: nodes,
    ...keys,
    rateKeys: [keys.hotKey],
    random: createRandom(7),
    clients: 2,
    onResponse: (target, status) => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 200) admitted.set(target, (admitted.get(target) ?? 0) + 1)
    },
  })
  traffic.start()
  onTestFinished(() => traffic.stop())
  const count = (node: ReleaseNode) => admitted.get(node) ?? 0
  const moreAnswers = (...some: readonly ReleaseNode[]) => {
    const least = some.map(node => count(node) + 10)
    return eventually(() => {
      for (const [i, node] of some.entries()) expect(count(node)).toBeGreaterThan(least[i]!)
    })
  }
  return { traffic, statuses, moreAnswers }
}

/** Cuts off a worker of this release while a later release removes what it needs; its process must end. */
async function shutOut(
  { store }: ReleaseWorld,
  old: Awaited<ReturnType<typeof work>>,
  contract: () => Promise<unknown>,
) {
  const resume = suspend(old.pid)
  onTestFinished(resume)
  await endConnections(store)
  await contract()
  await eventually(async () => {
    // One that was being opened appears later.
    await endConnections(store)
    expect(await readSchema(store)).toEqual({ version: nextLevel + 1, oldest: nextLevel })
  })
  expect(await query(store, `SELECT to_regclass('${contractedTable}') AS kept`)).toEqual([{ kept: null }])
  resume()
  expect(await old.ended).toBe(1)
  expect(old.log()).toContain(refusal)
}

/** Resolves when each node writes the forms that the schema allows. */
async function whenSchemaIsRead(store: string): Promise<void> {
  const before = await readBeats(store)
  await eventually(async () => {
    // It is read after a beat, and before the next one.
    for (const [node, beats] of await readBeats(store)) expect(beats).toBeGreaterThan((before.get(node) ?? 0) + 1)
  })
}

/** Builds feeds with a release, and returns the form of their catalogue. */
async function buildCatalogue(folder: string, env: Release): Promise<number> {
  const { code, stderr } = await periplusProcess(['feeds', 'build', '--data', folder], { env })
  expect(code, stderr).toBe(0)
  const catalogues = join(env.PERIPLUS_BLOBS!, 'feeds/catalogue')
  const newest = globSync('*.zst', { cwd: catalogues }).toSorted().at(-1)!
  return JSON.parse(zstdDecompressSync(readFileSync(join(catalogues, newest))).toString()).format
}

async function expectRefused(folder: string, env: Release): Promise<void> {
  for (const role of ['serve', 'work']) {
    const { code, stderr } = await periplusProcess([role, '--data', folder], { env })
    expect([code, stderr]).toEqual([1, expect.stringContaining(refusal)])
  }
}

/** Uses up the quotas, ends the nodes, and checks every unit that a process of any release has admitted. */
async function expectExact(
  { store, keys }: ReleaseWorld,
  nodes: readonly ReleaseNode[],
  { traffic, statuses }: ReturnType<typeof startTraffic>,
): Promise<void> {
  await traffic.stop()
  const used = await traffic.exhaust()
  for (const node of nodes) await node.stop()
  const openings = new OpeningNotes()
  await openings.collect(store)
  const journals = new Map(nodes.map(({ folder }) => [nodeIdOf(folder), join(folder, 'journal')]))
  const evidence = await readEvidence(store, journals)
  const { violations } = check({
    ...evidence,
    ...{ openings: openings.openings, endings: openings.endings, nodes: nodes.length, clients: traffic.counts },
    keys: new Map([...keys.quotaKeys, keys.hotKey].map(({ id, limits }) => [id, limits])),
    // A busy machine may let a node be silent.
    losses: { epochs: [], lives: 0, flushes: 0, setbacks: 0, faults: Number.POSITIVE_INFINITY },
  })
  expect(violations).toEqual([])
  expect(new Set([...statuses.keys(), 200, 429, 503])).toEqual(new Set([200, 429, 503]))
  // A call without a decision in time may have used its units.
  const unanswered = [...traffic.counts.values()].reduce((sum, counts) => sum + counts.unanswered, 0)
  const undecided = (statuses.get(503) ?? 0) + unanswered
  const billed = used.reduce((sum, { id }) => sum + (evidence.billed.get(id)?.units ?? 0), 0)
  const quotas = used.reduce((sum, { limits }) => sum + limits.quota, 0)
  expect(quotas - billed).toBeLessThanOrEqual(undecided * maxIds)
}

describeWith(['pg'], 'releases next to each other', () => {
  test('share exact limits, write what all of them read, and shut out one that is too old', async () => {
    const world = await createReleaseWorld(12 + upgrades)
    const { store, folder, keys } = world
    const { current, next, afterNext } = world.releases
    const [a, b, c] = [folder, copyNode(folder), copyNode(folder)].map(path => new ReleaseNode(path)) as [
      ReleaseNode,
      ReleaseNode,
      ReleaseNode,
    ]
    for (const node of [a, b, c]) onTestFinished(() => node.stop())
    const sent = startTraffic(world, [a, b, c])
    const { moreAnswers } = sent
    const [old] = await Promise.all([work(copyNode(folder), current), a.run(current), b.run(current)])
    await moreAnswers(a, b)

    for (let i = 0; i < upgrades; i++) {
      await c.run(next)
      await moreAnswers(a, b, c)
      const { version, oldest } = await readSchema(store)
      expect([version, oldest <= releaseLevel]).toEqual([nextLevel, true])
      expect(await readReleases(store)).toEqual([packageVersion(), `${packageVersion()}-later.1`])
      const forms = await readForms(store, [...keys.quotaKeys, keys.hotKey])
      expect(Math.max(...forms)).toBeLessThanOrEqual(newestForm('limitState'))
      expect(await buildCatalogue(c.folder, next)).toBeLessThanOrEqual(newestForm('catalogue'))
      // An upgrade can be rolled back as long as nothing is removed.
      await c.run(current)
      await moreAnswers(a, b, c)
    }

    await a.run(next)
    await b.stop()
    await c.stop()
    await shutOut(world, old, () => work(copyNode(folder), afterNext))
    await expectRefused(c.folder, current)
    // The two later releases write the newer form, each for the other one.
    await b.run(afterNext)
    await whenSchemaIsRead(store)
    await moreAnswers(a, b)
    expect(await readForms(store, [keys.hotKey])).toEqual(new Set([newestForm('limitState') + 1]))
    expect(await buildCatalogue(a.folder, next)).toBe(newestForm('catalogue') + 1)
    await expectExact(world, [a, b, c], sent)
  })
})
