/** The Redis serialization protocol (RESP2), as far as the commands of limits need it. */

/** An error that the server returned for one command. */
export class ReplyError extends Error {}

/** A reply; undefined for a null. */
export type Reply = string | number | undefined | ReplyError | readonly Reply[]

/** Encodes a command. */
export const encodeCommand = (words: readonly string[]): string =>
  `*${words.length}\r\n${words.map(encodeWord).join('')}`

/** Encodes a word of a command. */
export const encodeWord = (word: string): string => `$${Buffer.byteLength(word)}\r\n${word}\r\n`

/** Splits received text into replies. */
export class ReplyParser {
  #text = ''
  #at = 0

  /** Adds received bytes, in Latin-1, and returns the replies that are complete. */
  add(text: string): Reply[] {
    this.#text = this.#at === this.#text.length ? text : this.#text.slice(this.#at) + text
    this.#at = 0
    const replies: Reply[] = []
    for (;;) {
      const start = this.#at
      const reply = this.#read()
      if (reply === incomplete) {
        this.#at = start
        return replies
      }
      replies.push(reply)
    }
  }

  #read(): Reply | typeof incomplete {
    const end = this.#text.indexOf('\r\n', this.#at)
    if (end < 0) return incomplete
    const kind = this.#text[this.#at]
    const line = this.#text.slice(this.#at + 1, end)
    this.#at = end + 2
    switch (kind) {
      case '$':
        return this.#readBulk(Number(line))
      case '*':
        return this.#readArray(Number(line))
      case ':':
        return Number(line)
      case '+':
        return line
      case '-':
        return new ReplyError(line)
      default:
        throw new Error(`The server does not speak RESP2: it sent ${JSON.stringify(kind)}.`)
    }
  }

  #readBulk(length: number): string | undefined | typeof incomplete {
    if (length < 0) return undefined
    const start = this.#at
    if (this.#text.length < start + length + 2) return incomplete
    this.#at = start + length + 2
    return this.#text.slice(start, start + length)
  }

  #readArray(length: number): Reply | typeof incomplete {
    if (length < 0) return undefined
    const replies: Reply[] = []
    while (replies.length < length) {
      const reply = this.#read()
      if (reply === incomplete) return incomplete
      replies.push(reply)
    }
    return replies
  }
}

const incomplete = Symbol('incomplete')
