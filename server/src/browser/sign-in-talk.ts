import type { TicketSecret } from '../platform/vault-client/vault-words.ts'
import type { SignIn } from './shopper/visit.ts'

/** The shop has sent a code to its customer. */
export type CodeWish = {
  readonly host: string
  readonly isRefused: boolean
  readonly message: string | null
}

type Opener = (ticket: string, origin: string) => Promise<TicketSecret | null>

/**
 * What passes between a shopper that signs in and its worker. A shopper that waits for a code stays where it is in its way through the
 * shop, however many questions of a worker come and go meanwhile.
 */
export class SignInTalk implements SignIn {
  readonly #open: Opener
  #ticket: string | null
  #wish = Promise.withResolvers<CodeWish>()
  #answer: ((ticket: string) => void) | null = null
  #isSecretOut = false

  constructor(open: Opener, ticket: string) {
    this.#open = open
    this.#ticket = ticket
  }

  /** Whether something of the ticket was given away to be typed. */
  get isSecretOut(): boolean {
    return this.#isSecretOut
  }

  /** The next time that the shopper wants a code. */
  wish(): Promise<CodeWish> {
    return this.#wish.promise
  }

  /** The shopper goes on with this ticket. */
  resume(ticket: string): void {
    this.#wish = Promise.withResolvers()
    this.#answer?.(ticket)
    this.#answer = null
  }

  async secret(origin: string): Promise<TicketSecret | null> {
    const ticket = this.#ticket
    this.#ticket = null
    const secret = ticket === null ? null : await this.#open(ticket, origin)
    if (secret !== null) this.#isSecretOut = true
    return secret
  }

  async code(
    origin: string,
    asked: { readonly isRefused: boolean; readonly message: string | null },
  ): Promise<string | null> {
    const ticket = await new Promise<string>((resolve) => {
      this.#answer = resolve
      this.#wish.resolve({ ...asked, host: new URL(origin).hostname })
    })
    return (await this.#open(ticket, origin))?.code ?? null
  }
}
