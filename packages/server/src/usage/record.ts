import type { SessionMark } from '../domain/autocomplete-session.ts'
import type { FaultCode } from '../domain/fault.ts'
import type { UsageMark } from '../domain/ledger.ts'
import type { Meter } from '../domain/operation.ts'
import type { RecordedFault, UsageRecord } from '../domain/usage.ts'

/**
 * The flags of a record; the id of the secret, which is a number, follows them, then the epoch and the session, if any.
 */
const flagLetters = { explicit: 'e', billable: 'b' }
const epochSign = '@'
/** Sign of a session; recent-sessions.ts looks for it in the bytes of a batch. */
export const sessionSign = '~session:'

/** Encodes a record as a line of tab-separated fields, without the line end. */
export function encodeRecord(r: UsageRecord): string {
  const letters = (r.versionExplicit ? flagLetters.explicit : '') + (r.billable ? flagLetters.billable : '')
  const epoch = r.epoch === undefined ? '' : epochSign + r.epoch
  const flags = letters + (r.secretId ?? '') + epoch + (r.session ? sessionSign + encodeSession(r.session) : '')
  let line = `${r.requestId}\t${r.timeMs}\t${r.shiftMs}\t${r.partnerId}\t${r.keyId}\t${r.subject === r.keyId ? '' : r.subject}`
  line += `\t${r.operation}\t${r.version}\t${flags}\t${r.units}\t${r.meter}\t${r.weight}\t${r.status}`
  line += `\t${r.refusedBy.join(',')}\t${r.durationUs}`
  for (const mark of r.marks) line += `\t${encodeMark(mark)}`
  return r.fault ? `${line}\t${encodeFault(r.fault)}` : line
}

const encodeSession = (mark: SessionMark): string => mark.session + (mark.kind === 'typed' ? mark.letters : '')
const digestLength = 16

function decodeSession(text: string): SessionMark {
  const session = text.slice(0, digestLength)
  const letters = text.slice(digestLength)
  return letters === '' ? { kind: 'chosen', session } : { kind: 'typed', session, letters: Number(letters) }
}

/** First character of the field with the fault, which takes the place of the marks in a record without marks. */
const faultSign = '!'

const encodeFault = ({ code, keyRevision, fields, policies, retryAfterS, cost }: RecordedFault): string =>
  `${faultSign}${code}|${keyRevision}|${fields.join(',')}|${policies.join(',')}|${retryAfterS ?? ''}|${cost ?? ''}`

function encodeMark({ bucket, windowStartMs, tatUs, penalty: p }: UsageMark): string {
  const mark = `${bucket}:${windowStartMs}:${tatUs}`
  return p ? `${mark}:${p.firstRefusalUs}:${p.promiseUs}:${p.strikes}:${p.struckUs}` : mark
}

/** Decodes a line of `encodeRecord`. Does not validate the line, because its checksum has been verified. */
export function decodeRecord(line: string): UsageRecord {
  const fields = line.split('\t')
  const fault = fields.at(-1)!.startsWith(faultSign) ? decodeFault(fields.pop()!.slice(1)) : undefined
  const text = (i: number) => fields[i]!
  const [rest = '', session] = text(8).split(sessionSign)
  const [flags = '', epoch] = rest.split(epochSign)
  const secretId = secretIdOf(flags)
  return {
    requestId: text(0),
    timeMs: Number(text(1)),
    shiftMs: Number(text(2)),
    partnerId: text(3),
    keyId: text(4),
    ...(secretId !== '' && { secretId }),
    subject: text(5) === '' ? text(4) : text(5),
    operation: text(6),
    version: text(7),
    versionExplicit: flags.includes(flagLetters.explicit),
    billable: flags.includes(flagLetters.billable),
    units: Number(text(9)),
    meter: text(10) as Meter,
    weight: Number(text(11)),
    status: Number(text(12)),
    refusedBy: splitNames(text(13)),
    durationUs: Number(text(14)),
    marks: fields.slice(15).map(decodeMark),
    ...(epoch !== undefined && { epoch: Number(epoch) }),
    ...(session !== undefined && { session: decodeSession(session) }),
    ...(fault && { fault }),
  }
}

/** Returns the id of the secret, which follows the letters of the flags. */
function secretIdOf(flags: string): string {
  let at = 0
  while (flags.charCodeAt(at) >= 97) at++
  return flags.slice(at)
}

function decodeFault(text: string): RecordedFault {
  const [code = '', revision, fields = '', policies = '', retryAfterS = '', cost = ''] = text.split('|')
  return {
    code: code as FaultCode,
    fields: splitNames(fields),
    policies: splitNames(policies),
    keyRevision: Number(revision),
    ...(retryAfterS !== '' && { retryAfterS: Number(retryAfterS) }),
    ...(cost !== '' && { cost: Number(cost) }),
  }
}

const splitNames = (text: string): readonly string[] => (text === '' ? [] : text.split(','))

function decodeMark(text: string): UsageMark {
  const parts = text.split(':')
  const number = (i: number) => Number(parts[i])
  const mark = { bucket: parts[0] as UsageMark['bucket'], windowStartMs: number(1), tatUs: number(2) }
  if (parts.length === 3) return mark
  const penalty = { firstRefusalUs: number(3), promiseUs: number(4), strikes: number(5), struckUs: number(6) }
  return { ...mark, penalty }
}
