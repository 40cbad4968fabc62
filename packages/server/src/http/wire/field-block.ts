/** Header fields that many responses have, formatted once. */
export interface FieldBlock {
  readonly headers: Readonly<Record<string, string>>
  /** Names and values, alternating. */
  readonly list: readonly string[]
  /** The lines of the fields in a head of HTTP/1.1. */
  readonly text: string
}

export function createFieldBlock(headers: Readonly<Record<string, string>>): FieldBlock {
  const list = Object.entries(headers).flat()
  return { headers, list, text: formatFields(list) }
}

/** Characters that a header value must not contain (RFC 9110 §5.5). */
const forbidden = /[^\t\x20-\x7e\x80-\xff]/
const allForbidden = new RegExp(forbidden, 'g')

/** Formats the lines of fields; `?` replaces each character that a value must not contain. */
export function formatFields(list: readonly string[]): string {
  let text = ''
  for (let i = 0; i < list.length; i += 2) {
    const value = list[i + 1]!
    text += `${list[i]}: ${forbidden.test(value) ? value.replace(allForbidden, '?') : value}\r\n`
  }
  return text
}
