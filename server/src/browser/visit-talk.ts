import type { GivenAnswer, ShopQuestion } from '../channels/browser/shopping-words.ts'
import type { TicketSecret } from '../platform/vault-client/vault-words.ts'
import type { AskBuyer, SignIn } from './shopper/visit.ts'

/** The shop has sent a code to its customer. */
export type CodeWish = {
  readonly kind: 'code'
  readonly host: string
  readonly isRefused: boolean
  readonly message: string | null
}

/** What a shopper waits for, with its page where it is. */
type Wish = CodeWish | { readonly kind: 'answers'; readonly question: Omit<ShopQuestion, 'session'> }

/** What its worker brings when it comes back: a ticket with a code, or all that was answered so far. */
type Brought = { readonly ticket: string | null; readonly answers: readonly GivenAnswer[] }

type Opener = (ticket: string, origin: string) => Promise<TicketSecret | null>

/**
 * What passes between a shopper on its way and its worker. A shopper that waits for a person stays where it is in its way through the
 * shop, however many questions of a worker come and go meanwhile.
 */
export class VisitTalk {
  readonly #open: Opener
  #ticket: string | null
  #wish = Promise.withResolvers<Wish>()
  #bring: ((brought: Brought) => void) | null = null
  #isSecretOut = false
  /** Null: nothing was given to sign in with. */
  readonly signIn: SignIn | null

  constructor(open: Opener, ticket: string | null) {
    this.#open = open
    this.#ticket = ticket
    this.signIn =
      ticket === null
        ? null
        : {
            secret: (origin) => this.#secret(origin),
            code: (origin, asked) => this.#code(origin, asked),
          }
  }

  /** Whether something of the ticket was given away to be typed. */
  get isSecretOut(): boolean {
    return this.#isSecretOut
  }

  /** The next time that the shopper waits for a person. */
  wish(): Promise<Wish> {
    return this.#wish.promise
  }

  /** The shopper goes on with this. */
  resume(brought: Brought): void {
    this.#wish = Promise.withResolvers()
    this.#bring?.(brought)
    this.#bring = null
  }

  readonly ask: AskBuyer = async (question) => (await this.#waitFor({ kind: 'answers', question })).answers

  async #secret(origin: string): Promise<TicketSecret | null> {
    const ticket = this.#ticket
    this.#ticket = null
    const secret = ticket === null ? null : await this.#open(ticket, origin)
    if (secret !== null) this.#isSecretOut = true
    return secret
  }

  async #code(
    origin: string,
    asked: { readonly isRefused: boolean; readonly message: string | null },
  ): Promise<string | null> {
    const { ticket } = await this.#waitFor({ kind: 'code', ...asked, host: new URL(origin).hostname })
    return ticket === null ? null : ((await this.#open(ticket, origin))?.code ?? null)
  }

  #waitFor(wish: Wish): Promise<Brought> {
    return new Promise((resolve) => {
      this.#bring = resolve
      this.#wish.resolve(wish)
    })
  }
}
