import { formatCount } from '../kit/format-number.ts'
import { faultExplanations } from './explanation-faults.ts'
import type { ExplainedCall, Explanation, ExplanationRoute, ExplanationTerms } from './explanation-terms.ts'
import type { FaultCode } from './fault.ts'
import { units } from './limit-words.ts'

/** Explains a call. `terms` are the terms at the time of the call. */
export function explain(call: ExplainedCall, terms: ExplanationTerms, route: ExplanationRoute): Explanation {
  const code = call.fault === undefined ? inferCode(call) : (call.fault as FaultCode)
  if (code === undefined) return explainSuccess(call)
  return { code, ...faultExplanations[code](call, terms, route) }
}

function explainSuccess({ status, units: charged }: ExplainedCall): Explanation {
  if (status === 304)
    return { code: 'not_modified', sentence: 'The copy that the caller has was still good. Nothing was charged.' }
  const cost = charged === 0 ? 'Nothing was charged.' : `It cost ${formatCount(charged, ...units)}.`
  return { code: 'served', sentence: `The call was served. ${cost}` }
}

/** Faults by status, for calls that an earlier release recorded without their fault. */
const inferredCodes: Readonly<Record<number, FaultCode>> = {
  400: 'parameters_invalid',
  403: 'forbidden',
  404: 'location_unknown',
  410: 'snapshot_gone',
  416: 'range_unsatisfiable',
  429: 'rate_limited',
  503: 'search_unavailable',
}

const inferCode = ({ status, operation }: ExplainedCall): FaultCode | undefined => {
  if (status < 400) return undefined
  if (status === 404 && /feed/i.test(operation)) return 'snapshot_unknown'
  return inferredCodes[status] ?? (status >= 500 ? 'internal' : 'bad_request')
}
