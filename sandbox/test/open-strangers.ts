import { randomUUID } from 'node:crypto'
import { startProcessor } from '../src/processor/processor-server.ts'
import { startStrangers } from '../src/strangers/strangers-server.ts'
import { control, controlToken, get, type Json, post, readLog, temporaryFolder } from './run-sandbox.ts'
import { type IssuedCard, openShopper } from './shopper.ts'

export type Strangers = Awaited<ReturnType<typeof openStrangers>>

/** The shops and their processor in this process, with a memory of their own. `stripeUrl`: where shared payment tokens are charged. */
export async function openStrangers(
  more: { stripeUrl?: string; shopsElsewhere?: Readonly<Record<string, number>> } = {},
) {
  const folder = temporaryFolder()
  const shared = { stateDir: folder.path, port: 0, controlToken }
  const processor = await startProcessor(shared)
  const start = () => startStrangers({ ...shared, ...more, webPort: 0, processorUrl: processor.url })
  let strangers = await start()

  async function cardState(card: IssuedCard): Promise<Json> {
    return (await get(`${processor.url}/v1/virtual_cards/${card.id}`)).body
  }

  return {
    folder: folder.path,
    processorUrl: processor.url,
    get url() {
      return strangers.url
    },
    get facts() {
      return strangers.facts
    },
    /** A browser of somebody's own. */
    shopper: () => openShopper(strangers.facts),
    async issueCard(fields: { limit: number; merchant: string; currency?: string }): Promise<IssuedCard> {
      const body = {
        card: 'visa_auto_approved',
        currency: 'USD',
        reference: 'cart',
        expires_at: new Date(Date.now() + 3_600_000).toISOString(),
        ...fields,
      }
      const issued = await post(`${processor.url}/v1/virtual_cards`, body, {
        'idempotency-key': randomUUID(),
      })
      const id = String(issued.body.id)
      const secrets = (await get(`${processor.url}/v1/virtual_cards/${id}/number`)).body
      const expiry = `${String(secrets.exp_month).padStart(2, '0')}/${String(secrets.exp_year).slice(-2)}`
      return { id, number: String(secrets.number), expiry, cvc: String(secrets.security_code) }
    },
    cardState,
    /** What the card was asked for, as `authorized/captured/refunded`. */
    async totals(card: IssuedCard): Promise<string> {
      const { authorized, captured, refunded } = await cardState(card)
      return `${authorized}/${captured}/${refunded}`
    },
    async revoke(card: IssuedCard): Promise<Json> {
      const path = `${processor.url}/v1/virtual_cards/${card.id}/revoke`
      return (await post(path, {}, { 'idempotency-key': randomUUID() })).body
    },
    /** What a shop testifies, but for what went into carts. */
    async results(shop: string): Promise<string[]> {
      const entries = await readLog(`${strangers.url}/${shop}`)
      return entries.filter(({ kind }) => kind !== 'cart').map(({ kind, result }) => `${kind} ${result}`)
    },
    orders: async (shop: string): Promise<Json[]> => {
      const response = await fetch(`${strangers.url}/${shop}/orders`)
      return JSON.parse(await response.text())
    },
    passDays: (shop: string, days: number) => control(`${strangers.url}/${shop}/control/days`, { days }),
    async mailedCode(shop: string, to: string): Promise<string> {
      const headers = { authorization: `Bearer ${controlToken}` }
      const response = await fetch(`${strangers.url}/${shop}/mail?to=${encodeURIComponent(to)}`, { headers })
      return String(JSON.parse(await response.text()).code)
    },
    async restart(): Promise<void> {
      await strangers.close()
      strangers = await start()
    },
    async close(): Promise<void> {
      await strangers.close()
      await processor.close()
      folder.remove()
    },
  }
}
