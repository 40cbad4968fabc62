/** What is written of the settings into contract/: a JSON Schema for editors, and a file with all of them. */
import { stringify } from 'yaml'
import { environmentName } from './environment.ts'
import { expected, type Setting, settings } from './setting.ts'

/** The schema for editors: what has a default may be left out. */
export const configJsonSchema = (): object => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Periplus configuration',
  ...optional(settings),
  description: 'Settings of periplus.yaml. Each can also be set by a variable: server.port is PERIPLUS_SERVER_PORT.',
})

function optional(node: Setting): Setting {
  const { required, properties, patternProperties, items, ...rest } = node
  const needed = required?.filter(name => properties?.[name]?.default === undefined) ?? []
  return {
    ...rest,
    ...(needed.length > 0 && { required: needed }),
    ...(properties && { properties: mapped(properties) }),
    ...(patternProperties && { patternProperties: mapped(patternProperties) }),
    ...(items && { items: optional(items) }),
  }
}

const mapped = (nodes: Readonly<Record<string, Setting>>) =>
  Object.fromEntries(Object.entries(nodes).map(([name, node]) => [name, optional(node)]))

/** Every setting with its default, its meaning and its variable, as a file that can be used as it is. */
export function configExample(): string {
  const sections = Object.entries(settings.properties!).map(([name, node]) => setting(name, name, node))
  return `# yaml-language-server: $schema=config.schema.json
# Every setting of Periplus with its default; written by \`npm run gen\`. Copy what you change to periplus.yaml.
# Each can also be set by a variable, named in brackets, and some by a flag; those win over this file.

${sections.join('\n')}`
}

function setting(name: string, path: string, node: Setting): string {
  if (node.properties) return group(name, path, node)
  const says = node.description ?? ''
  const head = [...wrapped(`${says} [${environmentName(path)}]`), ...wrapped(`Takes ${expected(node)}.`)]
  const value =
    node.default === undefined
      ? `# ${name}:`
      : `${name}: ${stringify(node.default, { collectionStyle: 'flow' }).trim()}`
  const isLong = node.patternProperties !== undefined
  return `${(isLong ? wrapped(says) : head).join('\n')}\n${value}\n`
}

function group(name: string, path: string, { properties = {}, description }: Setting): string {
  const head = wrapped(description ?? '')
  const children = Object.entries(properties)
  const first = children[0]![1]
  // One group of the same form for each operation, none of which is there by default.
  if (first.properties && children.every(([, child]) => child.default === undefined)) {
    const members = Object.entries(first.properties).map(([member, child]) => `${member}: ${expected(child)}`)
    const names = wrapped(`For each of ${children.map(([child]) => child).join(', ')}:`)
    return [...head, ...names, ...members.map(line => `#   ${line}`), `${name}: {}`, ''].join('\n')
  }
  const inner = children.map(([child, node]) => setting(child, `${path}.${child}`, node)).join('')
  return [...head, `${name}:`, inner.replaceAll(/^(?=.)/gm, '  ')].join('\n')
}

const width = 110

/** A comment in lines that are not too long. */
function wrapped(text: string): string[] {
  const lines: string[] = []
  for (const word of text.trim().split(/\s+/)) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length + 1 > width) lines.push(`# ${word}`)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.filter(line => line !== '# ')
}
