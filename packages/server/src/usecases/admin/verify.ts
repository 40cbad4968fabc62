import type { Actor } from '../../domain/actor.ts'
import type { IntegrityCheck } from '../../domain/stores.ts'

/** Checks all parts of the data folder and returns a user-facing message for each problem. */
export async function verify(
  { checks }: { readonly checks: readonly IntegrityCheck[] },
  _actor: Actor,
  { onCheck }: { readonly onCheck: (name: string) => void },
): Promise<{ readonly problems: readonly string[] }> {
  const found: string[] = []
  for (const { name, problems } of checks) {
    onCheck(name)
    found.push(...(await problems()))
  }
  return { problems: found }
}
