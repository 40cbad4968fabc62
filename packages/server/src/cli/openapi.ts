import type { Command } from 'commander'
import { getFeedOpenApi, getOpenApi } from '../compose/openapi.ts'
import { UsageError } from './errors.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'

/** `periplus openapi [--version VERSION | --feeds]` */
export function addOpenApiCommand(program: Command): void {
  withCommonFlags(program.command('openapi'))
    .description('Prints the OpenAPI document of an API version or of the feeds.')
    .option('--version <version>', 'API version (default: the latest stable one)')
    .option('--feeds', 'print the document of the feeds, which is the same in every version')
    .action((flags: CommonFlags & { readonly version?: string; readonly feeds?: boolean }) => {
      const { config } = loadCommandConfig(flags)
      const found = flags.feeds ? { document: getFeedOpenApi(config) } : getOpenApi(config, flags.version)
      if ('documented' in found)
        throw new UsageError(
          `There is no OpenAPI document for version ${flags.version}. The versions with a document are ${found.documented.join(', ')}.`,
        )
      process.stdout.write(`${JSON.stringify(found.document, null, 2)}\n`)
    })
}
