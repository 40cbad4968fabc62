import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Mounts a small disk for the tests of one file. If that is impossible, warns and returns `mounted: false`. */
export function smallDisk(megabytes: number): { readonly path: string; readonly mounted: boolean } {
  const path = mkdtempSync(join(tmpdir(), 'periplus-disk-'))
  const mounted = mount(path, megabytes)
  if (!mounted) console.warn('Skipped: cannot mount a small disk here (requires Linux and permission to mount).')
  afterAll(() => {
    if (mounted) execFileSync('umount', [path])
    rmSync(path, { recursive: true, force: true })
  })
  return { path, mounted }
}

function mount(path: string, megabytes: number): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
