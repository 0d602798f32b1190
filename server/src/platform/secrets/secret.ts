import { inspect } from 'node:util'

/**
 * A value that must not reach a log, an error or a response by accident: every implicit conversion prints a placeholder.
 * Call `reveal` only where the value leaves for its one purpose.
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  toString(): string {
    return redacted
  }

  toJSON(): string {
    return redacted
  }

  [Symbol.toPrimitive](): string {
    return redacted
  }

  [inspect.custom](): string {
    return redacted
  }
}

const redacted = '[redacted]'
