import type { Config } from '../config/load.ts'
import type { AccountReader } from '../domain/account.ts'
import type { Id } from '../domain/id.ts'
import type { RecommendationHit } from '../domain/recommendation.ts'
import type { RefusalHour } from '../domain/refusal-hours.ts'
import type { ReplacedFile } from '../domain/store-errors.ts'
import type { EngineDescriptor } from '../domain/stores.ts'
import type { DemoSite } from '../http/site/landing-demo.ts'
import type { ForwardTarget } from '../http/wire/forward.ts'
import type { StartedSnapshots } from '../limits/local/local-downloads.ts'
import type { SharedPackedFile } from '../packed/packed-file.ts'
import type { IndexViewData } from '../search/index/index-view.ts'
import type { IndexQuery, QueryKind, ResultOf } from '../search/keep/query.ts'
import type { RankTask } from '../search/recommend/rank.ts'
import type { PublicAddress } from './http-settings.ts'
import type { Answer, Question } from './questions.ts'
import type { TimelineOrigin } from './serving-limits.ts'
import type { SharedServing } from './serving-memory.ts'
import type { ThreadMeasures } from './thread-measures.ts'

/** Data of a serving thread. */
export interface ServingTask extends SharedServing {
  readonly engine: EngineDescriptor
  readonly config: Config
  readonly demo: DemoSite | false
  readonly address: PublicAddress
  /** The address on which the first thread listens. */
  readonly listen: { readonly host: string; readonly port: number }
  readonly origin: TimelineOrigin
  /** Clock offset of the thread that measured the origin (measureClockOffset). */
  readonly clockOffsetUs: number
}

/** The first message: the state with which a serving thread begins. */
export interface ServingBegin {
  readonly kind: 'begin'
  readonly view: IndexViewData | undefined
  readonly packed: readonly (readonly [version: string, file: SharedPackedFile])[]
}

/** A message to a serving thread. The thread replies to `measures` with them, and to others when they are done. */
export type ServingMessage =
  | ServingBegin
  | { readonly kind: 'view'; readonly view: IndexViewData }
  | { readonly kind: 'packed'; readonly version: string; readonly file: SharedPackedFile | undefined }
  | { readonly kind: 'locations'; readonly ids: readonly Id[] | 'any' }
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'measures' }
  | { readonly kind: 'drain' }

export type ServingReply = ThreadMeasures | undefined

/** An event of a serving thread. */
export type ServingEvent =
  | { readonly started: true }
  | { readonly listening: true }
  | { readonly listenFailure: string }
  | { readonly question: Question }
  | { readonly lines: string | Uint8Array }
  | { readonly refusals: readonly RefusalHour[] }
  | { readonly replaced: ReplacedFile }

/** The methods of the first thread that the others call. */
export interface ServingOwner extends AccountReader {
  readiness(): Promise<{ readonly reasons: readonly string[]; readonly notes: readonly string[] }>
  connectManagement(): ReturnType<ForwardTarget['connect']>
  runLong(query: IndexQuery, subject: string): Promise<ResultOf<QueryKind>>
  rank(task: RankTask, subject: string): Promise<RecommendationHit[]>
  removeStale(ids: readonly Id[], revision: number): Promise<void>
  startedSince(...args: Parameters<StartedSnapshots['since']>): ReturnType<StartedSnapshots['since']>
  startSnapshot(...args: Parameters<StartedSnapshots['start']>): ReturnType<StartedSnapshots['start']>
  reportDamage(version: string, file: number, reason: string): Promise<void>
}
