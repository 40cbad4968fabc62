import { basename } from 'node:path'

/** Output of one benchmark. */
export interface Section {
  readonly name: string
  readonly args: readonly string[]
  /** Time of the end, in milliseconds since 1970. */
  readonly endedMs: number
  readonly output: string
  readonly seconds: number
  /** Exit code. */
  readonly status: number
}

const title = '# Performance'
const introduction = `Figures of all benchmarks, made by \`npm run bench -- report\`. Read ratios rather than absolute figures: servers and load share
one machine. CPU times are those of the server, with all its threads. The head of each file in bench/ describes what it
measures.`

/** Returns the report with new sections, and with the sections of \`before\` for benchmarks that did not run. */
export function mergeReport(
  before: string,
  machine: string,
  sections: readonly Section[],
  order: readonly string[],
): string {
  const kept = new Map(
    before
      .split(/^## /m)
      .slice(1)
      .map(text => [text.split('\n', 1)[0]!, `## ${text.trim()}`]),
  )
  const made = new Map(sections.map(section => [section.name, formatSection(section, machine)]))
  const texts = order.flatMap(name => made.get(name) ?? kept.get(name) ?? [])
  return `${[title, introduction, ...texts].join('\n\n')}\n`
}

/** Formats a section with its own machine and date, because sections may be made at different times. */
function formatSection({ name, args, endedMs, output, seconds, status }: Section, machine: string): string {
  // Paths of this machine mean nothing elsewhere.
  const shown = args.map(arg => (arg.includes('/') ? basename(arg) : arg)).join(' ')
  const date = new Date(endedMs).toISOString().slice(0, 16).replace('T', ' ')
  const failure = status === 0 ? '' : ` It failed with status ${status}.`
  return `## ${name}

\`npm run bench -- ${name} ${shown}\`, ${seconds} s, ${date} UTC. ${machine}.${failure}

\`\`\`text
${output}
\`\`\``
}
