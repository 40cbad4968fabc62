import type { FormValues } from './page-route.ts'

/** Reads the values of a parsed form body. */
export function readForm(body: unknown): FormValues {
  const values = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>
  const all = (name: string): readonly string[] => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return (Array.isArray(value) ? value : [value]).filter(item => typeof item === 'string')
  }
  return { text: name => (all(name).at(-1) ?? '').trim(), all }
}
