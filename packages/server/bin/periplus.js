#!/usr/bin/env node
// Starts Periplus on a Node that is new enough: the one that runs this file, or the one that npm installed next to it.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
// In the repository the sources run as they are; the published package has only the compiled ones.
const main = [join(here, '../src/cli/main.ts'), join(here, '../dist/cli/main.js')].find(file => existsSync(file))
const enough = Number(process.versions.node.split('.')[0]) >= 26

if (enough) await import(pathToFileURL(main).href)
else runOn(pinnedNode())

/** The node of the nearest node_modules/.bin. */
function pinnedNode() {
  for (let folder = here; folder !== dirname(folder); folder = dirname(folder)) {
    const node = join(folder, 'node_modules/.bin/node')
    if (existsSync(node)) return node
  }
  console.error(
    `Periplus needs Node 26 or later, and this is ${process.version}. Install a newer Node, or run npm ci in the repository.`,
  )
  process.exit(1)
}

/** The IPC channel ties the two together: when this process dies, however it dies, the other one ends. */
function runOn(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PERIPLUS_LAUNCHED: '1' },
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : code))
}
