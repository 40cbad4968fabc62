/**
 * Measures limits and metering without HTTP; see bench/limits/run.ts.
 *   npm run bench -- limits [--share 1]
 */
import './limits/run.ts'
