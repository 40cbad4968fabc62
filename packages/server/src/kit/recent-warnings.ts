/** A warning or error as it was logged. */
export interface RecentWarning {
  /** Milliseconds since 1970. */
  readonly atMs: number
  readonly level: 'warn' | 'error'
  readonly message: string
  readonly facts: Readonly<Record<string, string>>
}

const maxLines = 500
/** Maximum length of a line that is remembered completely, in characters; of a longer one, only the message is. */
const maxChars = 4096
const warnLevel = 40
const errorLevel = 50
/** Members of each line, and errors, which contain stack traces. */
const omitted = new Set(['level', 'time', 'msg', 'err', 'stack'])

/** Remembers the latest warnings and errors of a log. Lines are parsed only when they are read. */
export class RecentWarnings {
  readonly #lines: string[] = []

  /** Adds a line of the log if it is a warning or an error. */
  add(line: string): void {
    if (!/^\{"level":[456]0,/.test(line)) return
    this.#lines.push(line.length <= maxChars ? line : shorten(line))
    if (this.#lines.length > maxLines) this.#lines.shift()
  }

  /** Returns the warnings, oldest first. */
  list(): RecentWarning[] {
    return this.#lines.map(parse)
  }
}

function shorten(line: string): string {
  const { atMs, level, message } = parse(line)
  return JSON.stringify({
    level: level === 'warn' ? warnLevel : errorLevel,
    time: atMs,
    msg: message.slice(0, maxChars / 2),
  })
}

function parse(line: string): RecentWarning {
  const members = JSON.parse(line) as Readonly<Record<string, unknown>>
  const facts = Object.entries(members).filter(
    ([name, value]) => !omitted.has(name) && ['string', 'number', 'boolean'].includes(typeof value),
  )
  return {
    atMs: Number(members.time),
    level: Number(members.level) >= errorLevel ? 'error' : 'warn',
    message: typeof members.msg === 'string' ? members.msg : '',
    facts: Object.fromEntries(facts.map(([name, value]) => [name, String(value)])),
  }
}
