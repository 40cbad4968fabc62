import { crc32 } from 'node:zlib'
import type { ListPosition } from '../../domain/list-position.ts'
import { Type } from '../../kit/json-schema.ts'
import { createSingle, InvalidParameter, type ParamDocs } from './param.ts'

/** A position in the list of a query, as a cursor says it. */
export interface ListCursor extends ListPosition {
  /** Hash of the query that the list is for, 53 bits. */
  readonly query: number
  /** Days since 1970 on which the cursor was made. */
  readonly day: number
}

const form = 1
const bytes = { form: 1, day: 2, query: 7, offset: 4, after: 8, check: 4 }
const length = Object.values(bytes).reduce((sum, size) => sum + size)
const pattern = '^[A-Za-z0-9_-]{35}$'

/** Formats a cursor: a form, its values, and a checksum, as base64url. */
export function formatListCursor({ query, day, offset, after }: ListCursor): string {
  const buffer = Buffer.allocUnsafe(length)
  let at = buffer.writeUInt8(form)
  at = buffer.writeUInt16BE(day, at)
  at = buffer.writeUInt8(Math.floor(query / 2 ** 48), at)
  at = buffer.writeUIntBE(query % 2 ** 48, at, 6)
  at = buffer.writeUInt32BE(offset, at)
  at = buffer.writeBigUInt64BE(after, at)
  buffer.writeUInt32BE(crc32(buffer.subarray(0, at)), at)
  return buffer.toString('base64url')
}

function parseCursor(text: string): ListCursor | undefined {
  if (!new RegExp(pattern).test(text)) return undefined
  const buffer = Buffer.from(text, 'base64url')
  const end = length - bytes.check
  if (buffer.readUInt8() !== form || buffer.readUInt32BE(end) !== crc32(buffer.subarray(0, end))) return undefined
  const offset = buffer.readUInt32BE(10)
  if (offset === 0) return undefined
  return {
    day: buffer.readUInt16BE(1),
    query: buffer.readUInt8(3) * 2 ** 48 + buffer.readUIntBE(4, 6),
    offset,
    after: buffer.readBigUInt64BE(14),
  }
}

/** Creates a parameter for a cursor of an earlier answer. */
export const listCursorParam = (docs: ParamDocs) =>
  createSingle(
    docs,
    Type.String({ pattern }),
    text =>
      parseCursor(text) ??
      new InvalidParameter(
        'is not a cursor of this service; send one as an answer gave it, or leave it out for the first page',
        text,
      ),
  )
