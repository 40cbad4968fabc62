import { type FaultCode, fault, faults } from '../../domain/fault.ts'
import { Type } from '../../kit/json-schema.ts'
import { listOf, object, optional, ref, string } from '../../versions/primitives/schema.ts'
import { toProblem } from '../wire/http-response.ts'
import { listHeaders, toHeaderRefs } from './headers.ts'

/** `components/schemas` of every error response, the same in all versions. */
export const problemComponents = {
  Problem: object(
    {
      type: Type.String({
        format: 'uri',
        description: 'URI of the error type; it links to a description of the error.',
      }),
      title: string('Reason phrase of the status.'),
      status: Type.Integer({ minimum: 400, maximum: 599, description: 'HTTP status code.' }),
      detail: string('Explanation of this occurrence of the error, and what to do about it.'),
      instance: optional(string('Path and query of the request, without secrets.')),
      message: string('General message of this error type.'),
      request_id: string('Id of the request. Quote it when you contact the operator.'),
      'violated-policies': optional(
        listOf(
          string('Name of a limit policy, such as `rate`, `daily` or `search`.'),
          'Limits that the request exceeded.',
        ),
      ),
      field_errors: optional(listOf(ref('FieldError'), 'All invalid parameters.')),
    },
    'An error (RFC 9457).',
  ),
  FieldError: object(
    {
      field: string('Name of the parameter.'),
      message: string('Explanation of the error.'),
      rejected_value: optional(string('The value that was sent.')),
    },
    'An invalid parameter.',
  ),
}

/** Codes that are in no document: they concern unknown paths and methods. */
const undocumentedCodes: readonly FaultCode[] = ['path_unknown', 'method_not_allowed']

/** Codes that only feeds return. */
const feedOnlyCodes: readonly FaultCode[] = [
  'feed_unknown',
  'snapshot_unknown',
  'feed_file_unknown',
  'feed_version_ended',
  'snapshot_gone',
  'deltas_gone',
  'range_unsatisfiable',
]

/** Codes that feeds never return. */
const partnerOnlyCodes: readonly FaultCode[] = [
  'changes_gone',
  'location_unknown',
  'media_type_unsupported',
  'index_building',
  'search_unavailable',
  'account_unavailable',
  'request_unknown',
]

const codesWithout = (...groups: (readonly FaultCode[])[]) =>
  (Object.keys(faults) as FaultCode[]).filter(code => !groups.flat().includes(code))

/** Error codes of the partner interface. */
export const partnerCodes = codesWithout(undocumentedCodes, feedOnlyCodes)

/** Error codes of the feeds. */
export const feedCodes = codesWithout(undocumentedCodes, partnerOnlyCodes)

const toResponseName = (status: number): string => {
  const code = (Object.keys(faults) as FaultCode[]).find(one => faults[one].status === status)!
  return faults[code].title.replace(/[^A-Za-z]/g, '')
}

const listStatuses = (codes: readonly FaultCode[]) =>
  [...new Set(codes.map(code => faults[code].status))].sort((a, b) => a - b)

/** Returns `components/responses`: one response for each status, with one example for each code. */
export const createErrorResponses = (publicUrl: string, codes: readonly FaultCode[]) =>
  Object.fromEntries(
    listStatuses(codes).map(status => [
      toResponseName(status),
      {
        description: `${faults[codes.find(code => faults[code].status === status)!].title}.`,
        headers: toHeaderRefs(listHeaders(status)),
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
  const { body } = toProblem(fault(code), request)
  return { summary: faults[code].text, value: JSON.parse(body!.toString()) as unknown }
}

/** Returns references to the error responses of an endpoint, without the statuses of `never`. */
export const createErrorRefs = (codes: readonly FaultCode[], never: readonly number[]) =>
  Object.fromEntries(
    listStatuses(codes)
      .filter(status => !never.includes(status))
      .map(status => [String(status), { $ref: `#/components/responses/${toResponseName(status)}` }]),
  )
