import { type Fault, isFault } from '../../domain/fault.ts'
import { chain, type Eventual } from '../../kit/chain.ts'
import type { Call, Handler, OperationResult, Operations } from '../partner/call.ts'
import { RenderedBody } from '../wire/rendered.ts'
import { discardBody } from '../wire/slabs.ts'
import { readRecommendationBody } from './recommendation-body.ts'
import { terraPrefix } from './routes.ts'

const envelope = Buffer.from('{"data":')
const results = Buffer.from('{"search_results":')

/** Returns the operations of the profile: those of the service, with the envelopes and the bodies of Terra. */
export function createTerraOperations(operations: Operations): Operations {
  const below = Object.fromEntries(
    Object.entries(operations).map(([name, handler]) => [
      name,
      (call: Call) => handler({ ...call, prefix: terraPrefix }),
    ]),
  ) as Operations
  return {
    ...below,
    getLocation: withBody(below.getLocation, unwrap),
    getCatalogLocation: withBody(below.getCatalogLocation, unwrap),
    getGeo: withBody(below.getGeo, unwrap),
    searchRecommendations: withBody(recommend(below.searchRecommendations), renameData),
  }
}

/** Returns a handler of recommendations that reads the query from the body, if the request may have one. */
const recommend =
  (handler: Handler): Handler =>
  async call => {
    if (call.readBody === undefined) return handler(call)
    const body = await call.readBody()
    if (isFault(body)) return body
    const query = readRecommendationBody(body, call.headers)
    return isFault(query) ? query : handler({ ...call, query: { ...call.query, ...query } })
  }

/** Returns a handler whose body is converted. */
const withBody =
  (handler: Handler, convert: (body: Buffer) => Buffer): Handler =>
  call =>
    chain(handler(call), result => convertResult(result, convert))

function convertResult(
  result: OperationResult | Fault,
  convert: (body: Buffer) => Buffer,
): Eventual<OperationResult | Fault> {
  if (isFault(result) || !('rendered' in result)) return result
  const whole = result.rendered.body
  const rendered = new RenderedBody(convert(whole), { isSentOnce: true })
  discardBody(whole)
  return { ...result, rendered }
}

/** Returns the object in an envelope that has nothing else, as a copy: `{"data":X}` gives X. */
const unwrap = (body: Buffer): Buffer => Buffer.from(body.subarray(envelope.length, body.length - 1))

const renameData = (body: Buffer): Buffer => Buffer.concat([results, body.subarray(envelope.length)])
