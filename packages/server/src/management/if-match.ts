import { type Problem, problem } from './problem.ts'

/** An entity tag of a resource: its revision in quotes. */
const tag = /^"(\d{1,15})"$/

/**
 * Returns the revision that If-Match names (RFC 9110 §13.1.1). `*` and a list name the current revision, if the list
 * contains it; `readRevision` returns it.
 */
export async function readExpectedRevision(
  header: string,
  readRevision: () => Promise<number | undefined>,
): Promise<number | Problem> {
  const parts = header.split(',').map(part => part.trim())
  const revisions = parts.map(part => Number(tag.exec(part)?.[1] ?? Number.NaN))
  if (parts.length === 1 && parts[0] !== '*') return Number.isNaN(revisions[0]) ? invalidTag() : revisions[0]!
  if (parts.length > 1 && revisions.some(Number.isNaN)) return invalidTag()
  const current = await readRevision()
  if (current !== undefined && (parts[0] === '*' || revisions.includes(current))) return current
  // No resource has revision 0, so the change will be refused.
  return revisions[0] ?? 0
}

const invalidTag = (): Problem =>
  problem('parameters_invalid', {
    detail: 'If-Match must be the ETag of the resource, as in If-Match: "3".',
    fieldErrors: [{ field: 'If-Match', message: 'Expected an ETag such as "3".' }],
  })
