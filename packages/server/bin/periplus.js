#!/usr/bin/env node
// Runs Periplus with a supported Node: the one that runs this file, or the one in the nearest node_modules.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
// In the repository, Node runs the TypeScript sources; the published package contains compiled files only.
const main = [join(here, '../src/cli/main.ts'), join(here, '../dist/cli/main.js')].find(file => existsSync(file))
const isSupported = Number(process.versions.node.split('.')[0]) >= 26

// Compiled modules are kept with the installation, which halves the time until a command starts. Other users of the machine
// cannot write there, as they can in the folder for temporary files. Threads and child processes read the variable.
process.env.NODE_COMPILE_CACHE ||= join(here, '../node_modules/.cache/compiled')

if (isSupported) {
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE)
  await import(pathToFileURL(main).href)
} else runWith(findInstalledNode())

/** Returns the path of `node` in the nearest node_modules/.bin; exits with an error if it does not exist. */
function findInstalledNode() {
  for (let folder = here; folder !== dirname(folder); folder = dirname(folder)) {
    const node = join(folder, 'node_modules/.bin/node')
    if (existsSync(node)) return node
  }
  console.error(
    `Periplus requires Node 26 or later, but this is ${process.version}. Install a newer Node, or run npm ci in the repository.`,
  )
  process.exit(1)
}

/** Runs this file with another Node. The child exits when the IPC channel closes, even if this process is killed. */
function runWith(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PERIPLUS_LAUNCHED: '1' },
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : code))
}
