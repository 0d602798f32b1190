import { setTimeout as delay } from 'node:timers/promises'
import { administer } from '../../../src/cli/operator/administer.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { queryStored } from '../load/query-stored.ts'
import { bodyOf, type Service } from '../whole-product.ts'

type Seller = { accountId: string; key: string; domain: string }

/** Merchants of live mode who answer their orders themselves: no webhook of live mode goes to this machine. */
export type LiveSellers = {
  /** The items by what is answered to an order. */
  items: Record<string, string>
  /** Answers every order from now on, over any of these APIs, until it is told. */
  answer(bases: readonly string[]): void
  /** The orders that a merchant has confirmed, and was told that this stands. */
  confirmed: ReadonlySet<string>
  stop(): Promise<void>
}

export async function openLiveSellers(service: Service, price: number): Promise<LiveSellers> {
  const { keys, account_id } = await administer(readConfig(service.environment), (admin) =>
    admin.openAccount('Other merchant'),
  )
  const one = { accountId: service.accountId, key: service.person, domain: 'one.example' }
  const other = { accountId: account_id, key: keys.secret_live, domain: 'other.example' }
  const [first, second] = [await open(service, one, null), await open(service, other, 'acct_other')]
  const items = {
    ok: await first('ok', price),
    rejected: await first('rejected', price),
    // Its merchant says everything twice, at the same moment.
    double: await first('double', price),
    // Whose backend fails at first: here nobody has one.
    error_then_ok: await first('late', price),
    other_merchant: await second('ok', price),
  }
  const confirmed = new Set<string>()
  const stopping = new AbortController()
  let answering: Promise<void> = Promise.resolve()
  return {
    items,
    confirmed,
    answer(bases) {
      answering = answerOrders(service, { sellers: [one, other], bases, confirmed, signal: stopping.signal })
    },
    async stop() {
      stopping.abort()
      await answering
    },
  }
}

async function open(service: Service, { accountId, key, domain }: Seller, payout: string | null) {
  const post = async (path: string, body: object, status: number) =>
    bodyOf(await service.client().rest({ method: 'POST', path, key, body: JSON.stringify(body) }), status)
  await post('/v1/merchant', { name: domain, domain, currency: 'USD' }, 200)
  const { database_url: url } = service.ready
  await queryStored(url, 'update merchants set domain_verified_at = now() where account_id = $1', [accountId])
  await queryStored(url, `insert into merchant_payouts values ($1, 'live', $2, 'test', now())`, [
    accountId,
    payout,
  ])
  return async (behavior: string, price: number) => {
    const thing = `https://${domain}/${behavior}`
    const item = { title: behavior, url: thing, variants: [{ sku: behavior, price, currency: 'USD' }] }
    const { id } = await post('/v1/merchant/catalog_items', item, 201)
    await post(`/v1/merchant/catalog_items/${id}/publish`, {}, 200)
    return thing
  }
}

type Answering = {
  sellers: readonly Seller[]
  bases: readonly string[]
  confirmed: Set<string>
  signal: AbortSignal
}

/** An answer that got no word is given again: it is the same answer. */
async function answerOrders(
  service: Service,
  { sellers, bases, confirmed, signal }: Answering,
): Promise<void> {
  const answered = new Set<string>()
  for (let turn = 0; !signal.aborted; turn++) {
    const base = bases[turn % bases.length] ?? ''
    const waiting = await queryStored<{
      id: string
      domain: string
      is_rejected: boolean
      is_double: boolean
    }>(
      service.ready.database_url,
      `select o.id, c.merchant_domain as domain, c.items::text like '%/rejected%' as is_rejected,
         c.items::text like '%/double%' as is_double
       from orders o join carts c on c.account_id = o.account_id and c.mode = o.mode and c.order_row_id = o.id where o.mode = 'live'`,
    ).catch(() => [])
    for (const { id, domain, is_rejected, is_double } of waiting.filter((order) => !answered.has(order.id))) {
      const outcome = is_rejected ? 'rejected' : 'confirmed'
      const body = { outcome, ...(is_rejected ? {} : { confirmation_reference: `C-${id}` }) }
      const key = sellers.find((seller) => seller.domain === domain)?.key ?? ''
      const path = `/v1/merchant/orders/${id}/responses`
      const answer = () =>
        service
          .client(base)
          .rest({ method: 'POST', path, key, body: JSON.stringify(body) })
          .catch(() => ({ status: 0 }))
      const [sent = { status: 0 }] = await Promise.all([answer(), ...(is_double ? [answer()] : [])])
      if (sent.status === 0 || sent.status >= 500) continue
      answered.add(id)
      if (sent.status === 200 && !is_rejected) confirmed.add(id)
    }
    await delay(100)
  }
}
