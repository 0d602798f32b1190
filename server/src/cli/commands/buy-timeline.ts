import { money, out, outJson, styled } from '../terminal.ts'
import type { BuyApi } from './buy-api.ts'

/** A purchase as the interface shows it, as far as it is needed here. */
export type Purchase = {
  id: string
  status: string
  summary: string
  sequence: number
  max_allowed_amount: number
  actual_amount: number
  currency_code: string
  next_action: {
    type: string
    proposal?: { expected_amount: number; max_allowed_amount: number }
  } | null
  carts: { id: string; channel: string | null; order_id: string | null }[]
}

type Event = { type: string; sequence: number; cart_id?: string | null; created_at: string }
type Picture = { id: string; stage: string; url_host: string; total_text: string | null }

export type Printer = {
  asked(purchase: Purchase): void
  event(event: Event): void
  picture(picture: Picture): void
  ended(purchase: Purchase): void
}

const over: readonly string[] = ['succeeded', 'failed', 'cancelled', 'declined']
/** What goes on without a person. */
const underWay: readonly string[] = ['approved', 'queued']

export function hasEnded({ status }: Purchase): boolean {
  return over.includes(status)
}

/** How many seconds the service waits for the next change; pictures are no change, and are looked for more often. */
const waitSeconds = { quiet: 25, watched: 1 }

/** Prints what happens to a purchase, until it has ended or a person is needed. */
export class Timeline {
  readonly #api: BuyApi
  readonly #printer: Printer
  readonly #isWatched: boolean
  #shown = 0
  #pictures = 0

  constructor(api: BuyApi, printer: Printer, isWatched: boolean) {
    this.#api = api
    this.#printer = printer
    this.#isWatched = isWatched
  }

  async follow(begun: Purchase): Promise<Purchase> {
    const path = `/v1/purchase_intents/${begun.id}`
    const seconds = this.#isWatched ? waitSeconds.watched : waitSeconds.quiet
    for (let purchase = begun; ; ) {
      await this.#show(path)
      if (!underWay.includes(purchase.status) && purchase.sequence <= this.#shown) return purchase
      purchase = await this.#api.get(`${path}?wait_seconds=${seconds}&after_sequence=${this.#shown}`)
    }
  }

  /** Everything that is new. */
  async #show(path: string): Promise<void> {
    for (let more = true; more; ) {
      const page: { data: Event[]; has_more: boolean } = await this.#api.get(
        `${path}/events?after=${this.#shown}`,
      )
      for (const event of page.data) {
        this.#printer.event(event)
        this.#shown = event.sequence
      }
      more = page.has_more
    }
    for (let more = this.#isWatched; more; ) {
      const page: { data: Picture[]; has_more: boolean } = await this.#api.get(
        `${path}/evidence?offset=${this.#pictures}`,
      )
      for (const picture of page.data) this.#printer.picture(picture)
      this.#pictures += page.data.length
      more = page.has_more
    }
  }
}

export function jsonPrinter(): Printer {
  return {
    asked: ({ id, status, max_allowed_amount, currency_code }) =>
      outJson({ purchase_intent: { id, status, max_allowed_amount, currency_code } }),
    event: ({ type, sequence, cart_id, created_at }) =>
      outJson({ event: { type, sequence, cart_id: cart_id ?? null, created_at } }),
    picture: ({ id, stage, url_host, total_text }) =>
      outJson({ picture: { id, stage, url_host, total_text } }),
    ended: ({ id, status, summary, actual_amount, max_allowed_amount, currency_code, carts }) =>
      outJson({
        result: {
          purchase_intent_id: id,
          status,
          summary,
          actual_amount,
          max_allowed_amount,
          currency_code,
          channel: carts[0]?.channel ?? null,
          order_id: carts[0]?.order_id ?? null,
        },
      }),
  }
}

export function terminalPrinter(): Printer {
  const startedAt = performance.now()
  const at = () => styled('dim', `${((performance.now() - startedAt) / 1000).toFixed(1)} s`.padStart(8))
  return {
    asked({ id, max_allowed_amount, currency_code }) {
      out(`${styled('bold', 'It costs at most')} ${money(max_allowed_amount, currency_code)}, in all.`)
      out(styled('dim', `  ${id}`))
    },
    event({ type, cart_id }) {
      const colour = type.endsWith('failed') ? 'red' : type.endsWith('succeeded') ? 'green' : 'cyan'
      out(`${at()}  ${styled(colour, type)}${cart_id ? styled('dim', `  ${cart_id}`) : ''}`)
    },
    picture({ id, stage, url_host, total_text }) {
      const total = total_text === null ? '' : `, ${total_text}`
      out(`${at()}  picture of ${stage} at ${url_host}${total}${styled('dim', `  ${id}`)}`)
    },
    ended: ({ status, summary }) => out(`\n${styled(status === 'succeeded' ? 'green' : 'yellow', summary)}`),
  }
}
