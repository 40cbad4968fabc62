/** Members of an object that remain; `true` keeps a member whole. Lists are transparent: their items are projected. */
export interface Projection {
  readonly members: ReadonlyMap<string, Projection | true>
  /** True to keep members that are not listed as well. */
  readonly keepsOthers?: boolean
}

/**
 * Returns a JSON text without the members that a projection leaves out. Objects and lists that lose all their members
 * are left out as well. Text is copied, not parsed, so that numbers keep all their digits. The text must be valid JSON
 * without white space between its tokens, as JSON.stringify writes it.
 */
export function projectJson(json: Buffer, projection: Projection): Buffer {
  // In Latin-1 a byte is a character, and nothing of what is copied has to be decoded.
  const projected = new Projector(json.toString('latin1')).run(projection)
  const target = Buffer.allocUnsafeSlow(projected.length)
  target.write(projected, 'latin1')
  return target
}

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const openList = 0x5b
const closeList = 0x5d
const openObject = 0x7b
const closeObject = 0x7d

/** Reads a text from start to end and copies the members that remain. */
class Projector {
  readonly #json: string
  #at = 0

  constructor(json: string) {
    this.#json = json
  }

  /** Returns the rest of the whole text. */
  run(projection: Projection): string {
    return this.#project(projection)
  }

  /** Returns the rest of the next value; empty if nothing remains. */
  #project(projection: Projection | true): string {
    const first = this.#json.charCodeAt(this.#at)
    if (projection !== true && first === openObject) return this.#projectObject(projection)
    if (projection !== true && first === openList) return this.#projectList(projection)
    const start = this.#at
    this.#skipValue()
    return this.#json.slice(start, this.#at)
  }

  #projectObject({ members, keepsOthers = false }: Projection): string {
    let kept = ''
    const isEmpty = this.#enter(closeObject)
    while (this.#isInside(closeObject)) {
      const start = this.#at
      this.#skipString()
      const member = members.get(this.#json.slice(start + 1, this.#at - 1)) ?? keepsOthers
      // Skip the colon.
      this.#at++
      if (member === false) {
        this.#skipValue()
        continue
      }
      const name = this.#json.slice(start, this.#at)
      const value = this.#project(member)
      if (value !== '') kept += kept === '' ? name + value : `,${name}${value}`
    }
    return kept !== '' || isEmpty ? `{${kept}}` : ''
  }

  #projectList(projection: Projection): string {
    let kept = ''
    const isEmpty = this.#enter(closeList)
    while (this.#isInside(closeList)) {
      const item = this.#project(projection)
      if (item !== '') kept += kept === '' ? item : `,${item}`
    }
    return kept !== '' || isEmpty ? `[${kept}]` : ''
  }

  /** Moves behind the start of an object or a list; returns true if it is empty. */
  #enter(close: number): boolean {
    this.#at++
    return this.#json.charCodeAt(this.#at) === close
  }

  /** Moves to the next item; returns false at the end, which it leaves behind. */
  #isInside(close: number): boolean {
    const next = this.#json.charCodeAt(this.#at)
    if (next === comma || next === close) this.#at++
    return next !== close
  }

  /** Moves behind the next value. */
  #skipValue(): void {
    let depth = 0
    while (this.#at < this.#json.length) {
      const next = this.#json.charCodeAt(this.#at)
      if (depth === 0 && (next === comma || next === closeObject || next === closeList)) return
      if (next === quote) {
        this.#skipString()
        continue
      }
      this.#at++
      if (next === openObject || next === openList) depth++
      else if ((next === closeObject || next === closeList) && --depth === 0) return
    }
  }

  /** Moves behind the next string. */
  #skipString(): void {
    let end = this.#json.indexOf('"', this.#at + 1)
    while (this.#isEscaped(end)) end = this.#json.indexOf('"', end + 1)
    this.#at = end + 1
  }

  #isEscaped(at: number): boolean {
    let before = at
    while (this.#json.charCodeAt(before - 1) === backslash) before--
    return (at - before) % 2 === 1
  }
}
