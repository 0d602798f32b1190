import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCard } from '../shop/card-fields.ts'
import type { TypedCard } from '../shop/card-processor.ts'
import { html } from '../web/html.ts'
import { data, page, type Reply, text, type Visit, type WebRoute } from '../web/site.ts'

export const frameHost = 'fields.pay.test'

const frameScript = readFileSync(join(import.meta.dirname, 'card-frame-client.js'), 'utf8')
const tokenMs = 600_000
const tokensMax = 1_000

/** Cards behind tokens: each for one merchant, once. They stay in this process and are never written: one could be real. */
export function openTokens() {
  const cards = new Map<string, { card: TypedCard; merchant: string; until: number }>()
  return {
    make(card: TypedCard, merchant: string): string {
      const [oldest] = cards.keys()
      if (cards.size >= tokensMax && oldest !== undefined) cards.delete(oldest)
      const token = `tok_${randomUUID()}`
      cards.set(token, { card, merchant, until: performance.now() + tokenMs })
      return token
    },
    take(token: string, merchant: string): TypedCard | undefined {
      const found = cards.get(token)
      if (found === undefined || found.merchant !== merchant) return undefined
      cards.delete(token)
      return performance.now() < found.until ? found.card : undefined
    },
  }
}

export type Tokens = ReturnType<typeof openTokens>

/** The fields of a card as a payment company serves them into the frames of its merchants. */
export function cardFrameRoutes(tokens: Tokens): WebRoute[] {
  return [
    { method: 'GET', path: '/frame', handle: (visit) => page(framePage(visit)) },
    {
      method: 'GET',
      path: '/assets/card-frame-client.js',
      handle: () => text('text/javascript', frameScript),
    },
    { method: 'POST', path: '/tokens', handle: (visit) => makeToken(tokens, visit) },
  ]
}

function framePage({ url }: Visit) {
  const merchant = url.searchParams.get('merchant') ?? ''
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Secure card fields</title>
<style>body { margin: 0; font: 15px system-ui } input { font: inherit; padding: 10px; border: 1px solid #bcc; border-radius: 5px; width: 100%; box-sizing: border-box } div { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; margin-top: 8px } p { color: #a22; margin: 6px 0 0 }</style></head>
<body data-merchant="${merchant}"><form id="card"><input name="number" aria-label="Card number" placeholder="Card number" autocomplete="cc-number" inputmode="numeric">
<div><input name="expiry" aria-label="Expiration date" placeholder="MM / YY" autocomplete="cc-exp" inputmode="numeric"><input name="cvc" aria-label="Security code" placeholder="CVC" autocomplete="cc-csc" inputmode="numeric"></div><p role="alert"></p></form>
<script type="module" src="/assets/card-frame-client.js"></script></body></html>`
}

function makeToken(tokens: Tokens, { form }: Visit): Reply {
  const typed = new URLSearchParams({
    card_number: form.get('number') ?? '',
    card_expiry: form.get('expiry') ?? '',
    card_cvc: form.get('cvc') ?? '',
  })
  const read = readCard(typed)
  if (read.kind === 'wrong') return data({ error: read.messages.join(' ') }, 422)
  return data({ token: tokens.make(read.card, form.get('merchant') ?? '') }, 201)
}
