import type { Actor } from '../../domain/actor.ts'
import type { FolderProblem, IntegrityCheck } from '../../domain/data-folder.ts'

/** Runs the checks of a data folder and returns all problems that they find. */
export async function verify(
  { checks }: { readonly checks: readonly IntegrityCheck[] },
  _actor: Actor,
  { onCheck }: { readonly onCheck: (name: string) => void },
): Promise<{ readonly problems: readonly FolderProblem[] }> {
  const found: FolderProblem[] = []
  for (const { name, problems } of checks) {
    onCheck(name)
    found.push(...(await problems()))
  }
  return { problems: found }
}
