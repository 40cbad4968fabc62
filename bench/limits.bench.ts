/** Limits and metering: see the head of bench/limits/run.ts. */
import './limits/run.ts'
