import type { AdminPermission } from './admin-permission.ts'

/** Kinds of long work that a process of its own does. */
export const jobKinds = ['import', 'backup', 'verify', 'feeds', 'scan', 'moderation'] as const
export type JobKind = (typeof jobKinds)[number]

/** The permission that starts and cancels a job of each kind, and reads it. */
export const jobPermissions: Readonly<Record<JobKind, AdminPermission>> = {
  import: 'imports:write',
  backup: 'system:write',
  verify: 'system:write',
  feeds: 'feeds:write',
  scan: 'reviews:moderate',
  moderation: 'reviews:moderate',
}

/** The nouns of the kinds in messages. */
export const jobNouns: Readonly<Record<JobKind, string>> = {
  import: 'import',
  backup: 'backup',
  verify: 'verification',
  feeds: 'build of feeds',
  scan: 'scan of reviews',
  moderation: 'moderation of reviews',
}

/** `waiting`: its process is starting. The last three are final. */
export const jobStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const
export type JobState = (typeof jobStates)[number]
