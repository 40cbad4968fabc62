import type { Command } from 'commander'
import { openApiDocument } from '../http/openapi/document.ts'
import { documentedVersions } from '../http/openapi/documented-versions.ts'
import { feedDocument } from '../http/openapi/feed-document.ts'
import { resolveLifecycle } from '../versions/lifecycle.ts'
import { type CommonFlags, configOf, withCommonFlags } from './options.ts'
import { WrongUse } from './outcome.ts'

/** `periplus openapi [--version 1 | --feeds]` */
export function addOpenApiCommand(program: Command): void {
  withCommonFlags(program.command('openapi'))
    .description('print the OpenAPI document of a version')
    .option('--version <version>', 'which version (default: the latest stable one)')
    .option('--feeds', 'the document of the feeds instead, which are the same in every version')
    .action((flags: CommonFlags & { readonly version?: string; readonly feeds?: boolean }) => {
      const { config } = configOf(flags)
      const { host, port, publicUrl = `http://${host}:${port}` } = config.server
      const address = publicUrl.replace(/\/+$/, '')
      if (flags.feeds) return write(feedDocument(address))
      const lifecycle = resolveLifecycle(config)
      const versions = documentedVersions(lifecycle, Date.now())
      const asked = flags.version?.toLowerCase()
      const found =
        asked === undefined
          ? versions.findLast(({ entry }) => entry.status === 'stable')
          : versions.find(({ name, entry }) => asked === name || asked === entry.name)
      if (!found) {
        const names = versions.map(({ entry }) => entry.name).join(', ')
        throw new WrongUse(`There is no document of version ${flags.version}; there are ${names}.`)
      }
      write(openApiDocument(found.entry.version, { publicUrl: address }))
    })
}

const write = (document: object): void => {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
}
