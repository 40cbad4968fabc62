/**
 * Returns a sentence for a body with a Content-Encoding, which no server of this service decodes: a small body may
 * become a large one. Undefined for a body as it is.
 */
export function describeBodyCoding(contentEncoding = ''): string | undefined {
  const name = contentEncoding.trim().toLowerCase()
  if (name === '' || name === 'identity') return undefined
  return `Send the body as it is, without Content-Encoding: ${name.slice(0, 40)}.`
}
