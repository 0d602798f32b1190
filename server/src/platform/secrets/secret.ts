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
    // guard secret-in-text: a secret that becomes text is a placeholder
    return redacted
  }

  toJSON(): string {
    // guard secret-in-json: a secret that becomes JSON is a placeholder
    return redacted
  }

  [Symbol.toPrimitive](): string {
    // guard secret-in-a-template: a secret that is joined to text is a placeholder
    return redacted
  }

  [inspect.custom](): string {
    // guard secret-in-an-inspection: a secret that is printed is a placeholder
    return redacted
  }
}

const redacted = '[redacted]'
