/**
 * Checks the committed OpenAPI documents against the JSON Schema of OpenAPI 3.1 and the rules that it cannot express.
 * openapi-spec-validator (Python) also checks them if it is installed.
 */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { findDocumentErrors } from '../packages/server/test/contract/openapi-rules.ts'

const files = globSync('contract/{partner,feeds,admin}/*.openapi.json').sort()
const hasValidator = spawnSync('openapi-spec-validator', ['--version']).error === undefined

/** Runs a validator on a file and returns its output if it fails. */
function run(command: string, args: readonly string[]): string[] {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  return status === 0 ? [] : [`${command}: ${error ? 'could not be started' : `${stdout}${stderr}`.trim()}`]
}

const findErrors = (file: string): string[] => [
  ...run('node_modules/.bin/validate-api', [file]),
  ...findDocumentErrors(JSON.parse(readFileSync(file, 'utf8'))),
  ...(hasValidator ? run('openapi-spec-validator', [file]) : []),
]

const errors = files.flatMap(file => findErrors(file).map(error => `${file}: ${error}`))
for (const error of errors) console.error(error)
if (!hasValidator) console.log('openapi-spec-validator is not installed, so only its rules were checked.')
console.log(`${files.length} OpenAPI documents checked, ${errors.length} errors.`)
if (errors.length > 0) process.exitCode = 1
