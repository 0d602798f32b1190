import type { PurchaseIntent } from '../../domain/buying/intents/intent.ts'
import { out, outJson, styled } from '../terminal.ts'
import type { ProductApi } from './product-api.ts'
import { eventLine } from './say-purchase.ts'

export type PurchaseEvent = { type: string; sequence: number; cart_id?: string | null; created_at: string }
type Picture = { id: string; stage: string; url_host: string; total_text: string | null }

export type Printer = {
  asked(purchase: PurchaseIntent): void
  event(event: PurchaseEvent): void
  picture(picture: Picture): void
  ended(purchase: PurchaseIntent): void
}

const over: readonly string[] = ['succeeded', 'failed', 'cancelled', 'declined']
/** What goes on without a person. */
const underWay: readonly string[] = ['approved', 'queued']

/** Whether a purchase goes on by itself: also a cart of an approved one may wait to be told something. */
function goesOn({ status, next_action: action }: PurchaseIntent): boolean {
  return underWay.includes(status) && action?.type !== 'provide_input'
}

export function hasEnded({ status }: PurchaseIntent): boolean {
  return over.includes(status)
}

/** How many seconds the service waits for the next change; pictures are no change, and are looked for more often. */
const waitSeconds = { quiet: 25, watched: 1 }

/** Prints what happens to a purchase, until it has ended or a person is needed. */
export class Timeline {
  readonly #api: ProductApi
  readonly #printer: Printer
  readonly #isWatched: boolean
  #shown = 0
  #pictures = 0

  constructor(api: ProductApi, printer: Printer, isWatched: boolean) {
    this.#api = api
    this.#printer = printer
    this.#isWatched = isWatched
  }

  async follow(begun: PurchaseIntent): Promise<PurchaseIntent> {
    const path = `/v1/purchase_intents/${begun.id}`
    const seconds = this.#isWatched ? waitSeconds.watched : waitSeconds.quiet
    for (let purchase = begun; ; ) {
      await this.#show(path)
      if (!goesOn(purchase) && (purchase.sequence ?? 0) <= this.#shown) return purchase
      purchase = await this.#api.get(`${path}?wait_seconds=${seconds}&after_sequence=${this.#shown}`)
    }
  }

  /** Everything that is new. */
  async #show(path: string): Promise<void> {
    for (let more = true; more; ) {
      const page: { data: PurchaseEvent[]; has_more: boolean } = await this.#api.get(
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
  const at = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
  return {
    asked: ({ id }) => out(styled('dim', `  ${id}`)),
    event: (event) => out(eventLine(event, at())),
    picture({ id, stage, url_host, total_text }) {
      const total = total_text === null ? '' : `, ${total_text}`
      out(
        `${styled('dim', at().padStart(8))}  picture of ${stage} at ${url_host}${total}${styled('dim', `  ${id}`)}`,
      )
    },
    ended: ({ status, summary }) =>
      out(`\n${styled(status === 'succeeded' ? 'green' : 'yellow', summary ?? status)}`),
  }
}
