import { chargedLine, eventLine } from '../purchases/say-purchase.ts'
import { money, out, outJson, styled, table } from '../terminal.ts'
import type { TimelineEvent } from './demo-client.ts'

export type Printer = {
  step(text: string): void
  event(event: TimelineEvent): void
  result(result: DemoResult): void
  shop(result: ShopResult): void
  /** What both sides have written down of the same money. */
  ledgers(rows: readonly LedgerRow[]): void
  /** Where a person tries a component. */
  site(url: string): void
  /** Where a person talks to the agent. */
  chat(url: string): void
  /** Prints what to do after the demo. */
  next(next: Next): void
}

type Next = { start: string; mcp_configuration: object; guide: string }

export type DemoResult = {
  transport: 'rest' | 'mcp'
  purchase_intent_id: string
  status: string
  actual_amount: number
  max_allowed_amount: number
  currency: string
  order_id: string | null
  /** What the payment processor itself remembers of this purchase: the number of captures, and their amount. */
  processor: { captures: number; captured_amount: number }
  elapsed_ms: number
}

export type ShopResult = {
  shop: string
  url: string
  purchase_intent_id: string
  status: string
  actual_amount: number | null
  max_allowed_amount: number
  currency: string
  order_id: string | null
  /** Why nothing was bought; null where something was. */
  why: string | null
  /** Of which pages a picture was kept. */
  pictures: string[]
  /** The shop's own log of orders, charges and attacks. */
  shop_log: { kind: string; result: string; items: string | null; amount: number | null }[]
  /** What the payment processor itself remembers of this shop. */
  processor: { authorizations: number; captures: number; captured_amount: number }
  elapsed_ms: number
}

/** Of one purchase of a rehearsal, in minor units of `currency`. */
export type LedgerRow = {
  what: string
  purchase_intent_id: string
  currency: string
  /** By Prokura. */
  actual_amount: number
  /** By the simulator of Stripe: what was captured at the buyer's card less what was given back, and what a shop took of an issued card. */
  buyer_paid: number
  shop_took: number | null
}

export function jsonPrinter(): Printer {
  return {
    step: (text) => outJson({ step: text }),
    event: ({ id, type, sequence, cart_id, created_at }) =>
      outJson({ event: { id, type, sequence, cart_id, created_at } }),
    result: (result) => outJson({ result }),
    shop: (result) => outJson({ result }),
    ledgers: (ledgers) => outJson({ ledgers }),
    site: (site_url) => outJson({ site_url }),
    chat: (chat_url) => outJson({ chat_url }),
    next: (next) => outJson({ next }),
  }
}

export function terminalPrinter(): Printer {
  let startedAt = 0
  return {
    step(text) {
      startedAt = performance.now()
      out(`\n${styled('bold', text)}`)
    },
    event: (event) => out(eventLine(event, `${Math.round(performance.now() - startedAt)} ms`)),
    result({ processor, ...charged }) {
      const { currency } = charged
      out(chargedLine(charged))
      out(
        styled(
          'dim',
          `  the payment processor recorded ${processor.captures} capture of ${money(processor.captured_amount, currency)}`,
        ),
      )
    },
    shop: printShop,
    ledgers: printLedgers,
    site(url) {
      out(
        `\nOpen ${styled('cyan', url)} in a browser, add a test card, and buy with it. /buy chooses a card and confirms, /buy-react does so with React, /budget asks for a budget, and /chat talks to an agent that shops. Ctrl-C ends this, and nothing stays.`,
      )
    },
    chat(url) {
      out(
        `\nOpen ${styled('cyan', url)} in a browser to talk to the agent on the page of an integrator, whose server keeps the key. Ctrl-C ends this, and nothing stays.`,
      )
    },
    next({ start, mcp_configuration, guide }) {
      out('')
      out(
        `${styled('bold', 'Next')}: ${styled('cyan', start)} starts a service that keeps running. The service of this demo and its data are gone.`,
      )
      out(
        "To connect an agent, put this into the MCP configuration of its host. npm start names the file that has it with the agent's key,\nand another port if this one is taken by then:",
      )
      out('')
      out(JSON.stringify(mcp_configuration, null, 2))
      out('')
      out(`${guide} goes on from there: it sets up a person with a card and a policy, and buys something.`)
    },
  }
}

/** What the purchase says, and then what the shop and the processor say, which know nothing of it. */
function printShop(result: ShopResult): void {
  const { currency, why, pictures, shop_log, processor } = result
  if (why === null) out(chargedLine({ ...result, actual_amount: result.actual_amount ?? 0 }))
  else out(`  ${styled('yellow', 'nothing was bought')}`)
  for (const { kind, result: how, items, amount } of shop_log)
    out(
      styled(
        'dim',
        `  the shop: ${[kind, how, items, amount === null ? null : money(amount, currency)].filter((part) => part !== null).join(', ')}`,
      ),
    )
  if (shop_log.length === 0) out(styled('dim', '  the shop knows of no order and no charge'))
  out(
    styled(
      'dim',
      `  the payment processor: ${processor.authorizations} authorized, ${processor.captures} captured${processor.captures === 0 ? '' : ` (${money(processor.captured_amount, currency)})`}`,
    ),
  )
  if (pictures.length > 0) out(styled('dim', `  pictures of the pages: ${pictures.join(', ')}`))
}

function printLedgers(rows: readonly LedgerRow[]): void {
  const cells = rows.map(({ what, currency, actual_amount, buyer_paid, shop_took }) => [
    what,
    money(actual_amount, currency),
    money(buyer_paid, currency),
    shop_took === null ? '–' : money(shop_took, currency),
  ])
  out('')
  for (const line of table(
    ['PURCHASE', 'PROKURA SAYS', "BUYER'S CARD AT STRIPE", 'ISSUED CARD AT STRIPE'],
    cells,
  ))
    out(line)
}
