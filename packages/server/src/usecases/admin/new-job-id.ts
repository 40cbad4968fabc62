import { v7 as uuidv7 } from 'uuid'

/** Returns the id of a new job. Ids of later jobs are greater. */
export const newJobId = (): string => `job_${uuidv7()}`
