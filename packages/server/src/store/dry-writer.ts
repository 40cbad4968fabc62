import type { DataWriter } from '../domain/data-stores.ts'
import type { Id } from '../domain/id.ts'
import type { LocationRef, RecordKind } from '../domain/record-write.ts'

/**
 * Creates the writer of a dry run over a writer that rolls back each batch, so that other writers wait for one
 * batch at most. It remembers the places of earlier batches, which reviews and merges refer to, and how many records
 * these would have added.
 */
export async function createDryWriter(writer: DataWriter): Promise<DataWriter> {
  const places = await writer.openSeenIds()
  const added: Record<RecordKind, number> = { location: 0, review: 0 }
  const merged = new Map<Id, Id>()
  const follow = (id: Id | undefined): Id | undefined => {
    const into = id === undefined ? undefined : merged.get(id)
    return into === undefined ? id : follow(into)
  }
  const findSeen = async (refs: readonly LocationRef[]) => {
    const keys = refs.map(ref => ('id' in ref ? { source: '', id: ref.id } : ref))
    const ids = (await writer.findIds('location', keys)).map(follow)
    const isSeen = await places.has(ids.map(id => id ?? 0n))
    return ids.map((id, i) => (isSeen[i] ? id : undefined))
  }
  return {
    ...writer,
    findLocations: async refs => {
      const stored = await writer.findLocations(refs)
      const unknown = refs.filter((_, i) => stored[i] === undefined)
      const seen = await findSeen(unknown)
      let next = 0
      return stored.map(id => follow(id) ?? seen[next++])
    },
    writeLocations: async batch => {
      const outcomes = await writer.writeLocations(batch)
      added.location += outcomes.filter(outcome => outcome === 'added').length
      await places.add(batch.flatMap(({ op, id }) => (op === 'put' ? id : [])))
      for (const [i, write] of batch.entries()) {
        if (write.op !== 'merge' || outcomes[i] !== 'changed') continue
        // The store forgets the merges of earlier batches, and cannot refuse one that reverses them.
        const into = follow(write.into)
        if (into !== undefined && into !== write.id) merged.set(write.id, into)
      }
      return outcomes
    },
    writeReviews: async batch => {
      const outcomes = await writer.writeReviews(batch)
      added.review += outcomes.filter(outcome => outcome === 'added').length
      return outcomes
    },
    openMissing: async (kind, source, kept) => {
      const missing = await writer.openMissing(kind, source, kept)
      // A full sync compares the missing records with those that would be stored.
      return { ...missing, stored: missing.stored + added[kind] }
    },
    close: async () => {
      await places.close()
      await writer.close()
    },
  }
}
