import type { Buying } from './buying.ts'
import { stripeLiveKey, stripeShopKey } from './stripe.ts'

/** One payment of a cart as Stripe remembers it, in Stripe's own count. */
type Payment = {
  id: string
  cart: string
  customer: string
  destination: string | null
  onBehalfOf: string | null
  currency: string
  status: string
  held: number
  received: number
  refunds: { key: string; amount: number; isReversed: boolean }[]
}

/** A cart as our rows have it, with what its merchant has given back. */
type CartRow = {
  cart: string
  intent_status: string
  status: string
  is_due: boolean
  actual: string
  most: string
  currency: string
  customer: string | null
  payout: string | null
  given_back: string
  pending: string
}

/** Stripe's whole memory of payments, and ours: each is read without the other. */
export async function readLedgers({
  sandbox,
  sql,
}: Pick<Buying, 'sql'> & { sandbox: Pick<Buying['sandbox'], 'stripeUrl'> }) {
  const rows = await sql<CartRow>(
    `select i.id || '/' || c.id as cart, i.status as intent_status, c.status, c.due_at is not null as is_due, c.actual_amount as actual,
       c.max_allowed_amount as most, c.currency, m.kept_customer as customer, p.payout_account as payout,
       (select coalesce(sum(r.amount), 0) from order_refunds r where r.cart_id = c.id and r.status = 'succeeded') as given_back,
       (select count(*) from order_refunds r where r.cart_id = c.id and r.status = 'pending') as pending
     from carts c
     join purchase_intents i on i.account_id = c.account_id and i.mode = c.mode and i.id = c.intent_id
     left join payment_methods m on m.account_id = i.account_id and m.mode = i.mode and m.profile_id = i.profile_id
     left join merchant_payouts p on p.account_id = c.merchant_account_id and p.mode = c.mode
     where c.mode = 'live'`,
  )
  const tokens = await sql<TokenRow>(
    `select intent_id || '/' || cart_id as cart, reference from authorizations where mode = 'live' and reference like 'spt_%'`,
  )
  const own = await readPayments(sandbox.stripeUrl)
  return { rows, payments: [...own, ...(await readTokens(sandbox.stripeUrl, tokens))] }
}

type TokenRow = { cart: string; reference: string }

/** What sellers have taken by tokens of ours, as Stripe tells it to who has issued them. */
async function readTokens(url: string, rows: readonly TokenRow[]): Promise<Payment[]> {
  const tokens = await Promise.all(
    rows.map(async ({ cart, reference }) => {
      const token = await readOne(url, `shared_payment/issued_tokens/${reference}`)
      const { customer } = await readOne(url, `payment_methods/${token.payment_method}`)
      return {
        id: reference,
        cart,
        customer,
        destination: null,
        onBehalfOf: null,
        currency: token.usage_limits.currency.toUpperCase(),
        status: token.status,
        // One that was not used up could be still.
        held: token.status === 'active' ? token.usage_limits.max_amount : 0,
        received: token.usage_details.amount_captured.value,
        refunds: [],
      }
    }),
  )
  const taken = (await readAll(url, 'payment_intents', stripeShopKey)).reduce(
    (sum, one) => sum + one.amount_received,
    0,
  )
  const known = tokens.reduce((sum, { received }) => sum + received, 0)
  if (taken !== known) throw new Error(`sellers have taken ${taken}, and our tokens say ${known}`)
  return tokens
}

// biome-ignore lint/suspicious/noExplicitAny: objects as Stripe documents them
async function readOne(url: string, path: string): Promise<any> {
  const answer = await fetch(`${url}/v1/${path}`, { headers: { authorization: `Bearer ${stripeLiveKey}` } })
  return await answer.json()
}

async function readPayments(url: string): Promise<Payment[]> {
  const [intents, refunds] = [await readAll(url, 'payment_intents'), await readAll(url, 'refunds')]
  return intents.map((one) => ({
    id: one.id,
    cart: one.description,
    customer: one.customer,
    destination: one.transfer_data?.destination ?? null,
    onBehalfOf: one.on_behalf_of,
    currency: one.currency.toUpperCase(),
    status: one.status,
    held: one.status === 'requires_capture' ? one.amount_capturable : 0,
    received: one.amount_received,
    refunds: refunds
      .filter(({ payment_intent }) => payment_intent === one.id)
      .map(({ metadata, amount, transfer_reversal }) => ({
        key: metadata.prokura_key,
        amount,
        isReversed: transfer_reversal !== null,
      })),
  }))
}

// biome-ignore lint/suspicious/noExplicitAny: objects as Stripe documents them
async function readAll(url: string, kind: string, key = stripeLiveKey): Promise<any[]> {
  // biome-ignore lint/suspicious/noExplicitAny: the same
  const all: any[] = []
  for (let after = ''; ; after = `&starting_after=${all.at(-1).id}`) {
    const answer = await fetch(`${url}/v1/${kind}?limit=100${after}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    // biome-ignore lint/suspicious/noExplicitAny: the same
    const { data, has_more } = (await answer.json()) as { data: any[]; has_more: boolean }
    all.push(...data)
    if (!has_more) return all
  }
}

export type Ledgers = Awaited<ReturnType<typeof readLedgers>>

/**
 * Every difference between the two: a cart that was charged twice, held when it was over, charged for something else than it says, at another
 * customer or for another merchant; refunds that one side does not know. `ofStripe` counts an amount of a currency as Stripe does.
 */
export function differences(
  { rows, payments }: Ledgers,
  ofStripe: (amount: bigint, currency: string) => bigint,
): string[] {
  const byCart = Map.groupBy(payments, ({ cart }) => cart)
  const known = new Set(rows.map(({ cart }) => cart))
  const strange = payments.filter(({ cart, held, received }) => !known.has(cart) && held + received > 0)
  return [
    ...strange.map(({ cart, id }) => `${id} is of ${cart}, which no row knows`),
    ...rows.flatMap((row) => {
      const own = byCart.get(row.cart) ?? []
      const told = (amount: string) => ofStripe(BigInt(amount), row.currency)
      return problemsOf(row, own, told).map((what) => `${row.cart} (${row.status}): ${what}`)
    }),
  ]
}

function problemsOf(row: CartRow, own: readonly Payment[], told: (amount: string) => bigint): string[] {
  const sum = (amounts: readonly number[]) => BigInt(amounts.reduce((total, one) => total + one, 0))
  const refunds = own.flatMap((one) => one.refunds)
  const byMerchant = refunds.filter(({ key }) => key.startsWith('rfd_'))
  const [received, givenBack] = [sum(own.map((one) => one.received)), sum(refunds.map((one) => one.amount))]
  const kept = received - (givenBack - sum(byMerchant.map((one) => one.amount)))
  const open = own.filter(({ held }) => held > 0)
  const charges = own.filter((one) => one.received > sum(one.refunds.map(({ amount }) => amount)))
  const foreign = own.filter(
    ({ customer, destination, onBehalfOf, currency }) =>
      customer !== row.customer ||
      destination !== row.payout ||
      onBehalfOf !== row.payout ||
      currency !== row.currency,
  )
  const astray = own.filter((one) =>
    one.refunds.some(({ isReversed }) => isReversed !== (row.payout !== null)),
  )
  const keys = refunds.map(({ key }) => key)
  const is = (isBroken: boolean, what: string) => (isBroken ? [what] : [])
  return [
    ...is(row.is_due, 'is not at rest'),
    ...is(Number(row.pending) > 0, `${row.pending} refunds are pending`),
    ...is(open.length > 0, `${open.map(({ id }) => id)} still hold money`),
    ...is(charges.length > 1, `was charged by ${charges.map(({ id }) => id)}`),
    ...is(kept !== told(row.actual), `cost ${told(row.actual)}, and Stripe kept ${kept}`),
    ...is((row.status === 'succeeded') !== kept > 0n, `Stripe kept ${kept}`),
    ...is(received > told(row.most), `at most ${told(row.most)} was allowed, and Stripe took ${received}`),
    ...is(
      told(row.given_back) !== sum(byMerchant.map((one) => one.amount)),
      `its merchant gave back ${told(row.given_back)}, and Stripe ${sum(byMerchant.map((one) => one.amount))}`,
    ),
    ...is(new Set(keys).size < keys.length, `a refund was made twice: ${keys}`),
    ...is(foreign.length > 0, `other customer, merchant or currency: ${JSON.stringify(foreign)}`),
    ...is(
      astray.length > 0,
      `not reversed at its merchant, or reversed at nobody: ${astray.map(({ id }) => id)}`,
    ),
  ]
}
