import Type from 'typebox'
import { type FaultCode, fault, faults } from '../../domain/fault.ts'
import { problem } from '../wire/answer.ts'
import { headerRefs, headersOf } from './headers.ts'

const text = (description: string) => Type.String({ minLength: 1, description })
const closed = { additionalProperties: false }

/** The body of every error, in every version. */
export const problemSchema = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'Identifies the kind of error, and leads to its description.' }),
    title: text('The status in words.'),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status.' }),
    detail: text('What is wrong in this case, and what to do about it.'),
    instance: Type.Optional(text('Path and query of the request, secrets taken out.')),
    message: text('The public text of this kind of error.'),
    request_id: text('What to quote to the operator.'),
    'violated-policies': Type.Optional(Type.Array(text('`rate`, `daily`, `search` …'), { minItems: 1 })),
    field_errors: Type.Optional(
      Type.Array(
        Type.Object(
          {
            field: text('The parameter.'),
            message: text('What is wrong with it.'),
            rejected_value: Type.Optional(text('What was sent.')),
          },
          closed,
        ),
        { minItems: 1, description: 'Every parameter that is wrong.' },
      ),
    ),
    ids: Type.Optional(Type.Array(Type.Integer({ format: 'int64', minimum: 1 }), { minItems: 1 })),
  },
  { ...closed, description: 'An error (RFC 9457).' },
)

/** Codes that no document tells: of paths and methods. */
const elsewhere: readonly FaultCode[] = ['path_unknown', 'method_not_allowed']

/** Codes that feeds alone answer with. */
const ofFeeds: readonly FaultCode[] = [
  'feed_unknown',
  'snapshot_unknown',
  'feed_file_unknown',
  'feed_version_ended',
  'snapshot_gone',
  'deltas_gone',
  'range_unsatisfiable',
]

/** Codes that feeds never answer with. */
const ofPlaces: readonly FaultCode[] = ['location_unknown', 'index_building']

const codesWithout = (...groups: (readonly FaultCode[])[]) =>
  (Object.keys(faults) as FaultCode[]).filter(code => !groups.flat().includes(code))

/** What the endpoints of the partner interface may answer with. */
export const partnerCodes = codesWithout(elsewhere, ofFeeds)

/** What the feeds may answer with. */
export const feedCodes = codesWithout(elsewhere, ofPlaces)

const nameOf = (status: number): string => {
  const code = (Object.keys(faults) as FaultCode[]).find(one => faults[one].status === status)!
  return faults[code].title.replace(/[^A-Za-z]/g, '')
}

const statusesOf = (codes: readonly FaultCode[]) =>
  [...new Set(codes.map(code => faults[code].status))].sort((a, b) => a - b)

/** components/responses: one for each status, with an example for each code. */
export const errorResponses = (publicUrl: string, codes: readonly FaultCode[]) =>
  Object.fromEntries(
    statusesOf(codes).map(status => [
      nameOf(status),
      {
        description: `${faults[codes.find(code => faults[code].status === status)!].title}.`,
        headers: headerRefs(headersOf(status)),
        content: {
          'application/problem+json': {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: Object.fromEntries(
              codes.filter(code => faults[code].status === status).map(code => [code, example(code, publicUrl)]),
            ),
          },
        },
      },
    ]),
  )

function example(code: FaultCode, publicUrl: string) {
  const request = { id: '01938f4a-7c1e-7d3a-9b1f-2a6f0c4d8e11', path: '/locations/1', publicUrl }
  const { body } = problem(fault(code), request)
  return { summary: faults[code].text, value: JSON.parse(body!.toString()) as unknown }
}

/** Every error that an endpoint may answer with; 404 where it looks something up. */
export const errorRefs = (codes: readonly FaultCode[], looksUp: boolean) =>
  Object.fromEntries(
    statusesOf(codes)
      .filter(status => status !== 404 || looksUp)
      .map(status => [String(status), { $ref: `#/components/responses/${nameOf(status)}` }]),
  )
