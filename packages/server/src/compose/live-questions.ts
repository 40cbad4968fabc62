import type { LiveState } from '../domain/live-state.ts'
import type { Asker } from './questions.ts'

/** Returns the live state of the serving process for another thread. */
export const askLiveState = (asker: Asker<LiveState>): LiveState => ({
  status: () => asker.ask('status'),
  measures: () => asker.ask('measures'),
  limitsOf: key => asker.ask('limitsOf', key),
  forgive: key => asker.ask('forgive', key),
  downloadsOf: keyId => asker.ask('downloadsOf', keyId),
  search: query => asker.ask('search', query),
  nearby: query => asker.ask('nearby', query),
})
