/** The processes of a database, and the one of them that is its worker. */

/** `work` does nothing else; `serve` is the worker while no process of the role `work` exists. */
export type ProcessRole = 'work' | 'serve'

/** A process that can be the worker, as others see it. */
export interface ProcessTerms {
  readonly role: ProcessRole
  /** Name of the machine, for operators. */
  readonly name: string
  readonly release: string
}

/** The processes of a database. */
export interface Processes {
  /** Takes part in the election of the worker until `close` or the end of the process. */
  join(process: ProcessTerms): Promise<Candidate>
  /** Returns the worker; undefined if no process is elected. */
  worker(): Promise<Pick<ProcessTerms, 'role' | 'name'> | undefined>
}

/** A process that takes part in the election. */
export interface Candidate {
  /**
   * Returns whether this process is the worker. Call it every second: the database ends the term of a process that has
   * been silent for 10 s. Throws StoreFailure when the connection of the candidate has ended, and its term with it.
   */
  check(): Promise<Standing>
  /** Ends the term of this process. */
  resign(): Promise<void>
  close(): Promise<void>
}

/**
 * `elected`: this process is the worker. `superseded`: it is, but should end its work and resign, because a process of
 * the role `work` is waiting. `waiting`: another process is the worker, or will be; `worker` names it if there is one.
 */
export type Standing =
  | { readonly state: 'elected' | 'superseded' }
  | { readonly state: 'waiting'; readonly worker: Pick<ProcessTerms, 'role' | 'name'> | undefined }
