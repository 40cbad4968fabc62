/** The entry file of a thread that sends a paced load and posts its result. */
import { parentPort, workerData } from 'node:worker_threads'
import { type PacedOptions, pacedLoad } from '../load/paced.ts'

parentPort!.postMessage(await pacedLoad(workerData as PacedOptions))
