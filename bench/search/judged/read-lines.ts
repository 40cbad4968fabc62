import { readFileSync } from 'node:fs'
import type { Rule, Wanted } from './judgement.ts'

/** A query as people type it, with its judgement. */
export interface JudgedQuery {
  readonly query: string
  readonly language: string
  /** The difficulty that the query has. */
  readonly cause: string
  /** Latitude and longitude of the caller. */
  readonly near?: readonly [number, number]
  readonly fine: Rule
}

/** A request for recommendations in plain words, with its judgement. */
export interface JudgedRequest {
  readonly query: string
  readonly language: string
  readonly cause: string
  readonly near?: readonly [number, number]
  /** Facts that each recommended place must have. */
  readonly fits: Wanted
  /** Places with these facts that the data has, if fewer than five. */
  readonly available?: number
  /** Regular expression for texts that speak of what is asked for. */
  readonly ideas?: string
  /** Regular expression for texts that speak against it. */
  readonly against?: string
}

const readLines = <T>(name: string): T[] =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as T)

/** Sets of queries. The further ones were judged before any search had been asked them. */
export const querySets = ['queries', 'further-queries'] as const

export const readQueries = (set: (typeof querySets)[number]): JudgedQuery[] => readLines(`${set}.ndjson`)
export const readRequests = (): JudgedRequest[] => readLines('wishes.ndjson')
