import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates an empty temporary folder; the caller removes it. */
export function scratch(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'periplus-test-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
