/**
 * Returns a copy of a document in which every object schema refuses members that it does not list. Published schemas
 * are open, because clients must tolerate unknown members (SPEC §9.2, R-57); tests validate against the closed form.
 */
export const closeObjects = <T>(node: T): T => close(node) as T

function close(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(close)
  if (typeof node !== 'object' || node === null) return node
  const members = Object.fromEntries(Object.entries(node).map(([name, child]) => [name, close(child)]))
  return members.type === 'object' && 'properties' in members ? { ...members, additionalProperties: false } : members
}
