import { expect, test } from 'vitest'
import type { AdminFault } from '../domain/admin-fault.ts'
import { adminErrorDocs } from './error-docs.ts'
import { toFaultProblem } from './fault-problems.ts'
import { problemStatuses } from './problem.ts'

/** Facts of any fault: times are numbers, all other members work as a list and as a text. */
const facts = (fault: string): AdminFault =>
  new Proxy({} as AdminFault, {
    get: (_, name: string) => {
      if (name === 'fault') return fault
      if (name === 'fields') return ['name']
      if (name === 'limit') return 'rate'
      if (name === 'reason') return 'held'
      return /Ms$|Bytes$|^max|^min/.test(name) ? 1 : ['a']
    },
  })

test.each(adminErrorDocs)(
  'the documented status of %s is the one that the admin API sends',
  (code, [status, ...texts]) => {
    const sent = Object.hasOwn(problemStatuses, code)
      ? problemStatuses[code as keyof typeof problemStatuses]
      : toFaultProblem(facts(code)).status
    expect(sent).toBe(status)
    for (const text of texts) expect(text).toMatch(/^[A-Z`].*\.$/)
  },
)
