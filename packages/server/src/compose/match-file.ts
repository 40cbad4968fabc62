import { existsSync } from 'node:fs'
import type { Config } from '../config/load.ts'
import { isFault } from '../domain/fault.ts'
import { fullScope } from '../domain/scope.ts'
import { StoreError } from '../domain/store-errors.ts'
import { openInput } from '../ingest/input.ts'
import { readOwnRecords } from '../ingest/own-records.ts'
import { tokens } from '../kit/tokens.ts'
import { Budget } from '../search/index/budget.ts'
import { loadIndex } from '../search/index/file.ts'
import { viewOfIndex } from '../search/index/index-view.ts'
import { matchCandidates } from '../search/query/match-candidates.ts'
import { openLayout } from '../store/folder/layout.ts'
import { type Match, type MatchStores, matchLocation } from '../usecases/partner/match-location.ts'
import { readOwnRecord } from '../versions/primitives/requests/read-match.ts'
import { withEngine } from './engine.ts'

/** The result of a row of a file: candidates, or the reason why it cannot be matched. */
export type RowResult =
  | { readonly line: number; readonly name: string; readonly matches: readonly Match[] }
  | { readonly line: number; readonly problem: string }

const caller = { subject: 'command', isGone: () => false }

/** Matches the rows of a file with the places of a data folder; passes each result on. */
export const matchFile = (
  config: Config,
  { file, limit }: { readonly file: string; readonly limit: number },
  onResult: (result: RowResult) => void,
): Promise<void> =>
  withEngine(config, { create: false }, async engine => {
    const stores: MatchStores = { index: openIndex(config), locations: engine.locations }
    for await (const row of readOwnRecords(openInput(file, process.stdin))) {
      if ('problem' in row) {
        onResult(row)
        continue
      }
      const own = readOwnRecord(row.fields)
      if (isFault(own)) onResult({ line: row.line, problem: own.detail ?? 'The record is not valid.' })
      else {
        const matches = await matchLocation(stores, fullScope, own, limit, caller)
        onResult({ line: row.line, name: own.name, matches })
      }
    }
  })

/** Opens the search index in this process. Throws StoreError if there is no usable one. */
export function openIndex(config: Config): MatchStores['index'] {
  const { index: path } = openLayout(config.data)
  const loaded = existsSync(path) ? loadIndex(path) : undefined
  if (loaded?.outcome !== 'loaded')
    throw new StoreError(
      `The search index of ${config.data} is missing or outdated. Start 'periplus serve' to build it.`,
    )
  const view = viewOfIndex(loaded.index)
  return { candidates: query => matchCandidates(view, query, Budget.unlimited()), wordsOf: tokens }
}
