import { setTimeout as delay } from 'node:timers/promises'
import { advanceTestClock } from '../../src/platform/clock/test-clock.ts'
import { patience } from '../gate/pace.ts'
import { stripeSimulator } from '../harness/stripe.ts'
import { askBusiness, startUcpPlatform } from '../harness/ucp-platform.ts'
import { paid, paidByShared, total } from '../harness/ucp-shop.ts'
import { queryStored } from './load/query-stored.ts'
import { bodyOf, type Service } from './whole-product.ts'

const heirsMax = 3
const heirPatienceMs = 12_000
/** Longer than a lease, and longer than a journaled call can take to arrive. */
const leaseSeconds = 45

/** What pays: a test card, a purchase here that was approved and became a payment token, or a token of another payment network. */
const saleKinds = ['sale', 'sale by token', 'shared sale'] as const
export type SaleKind = (typeof saleKinds)[number]

export function isSale(kind: string): kind is SaleKind {
  return saleKinds.some((one) => one === kind)
}

/** What the rails have to remember of each, and nothing else. */
const moneyOf: Readonly<Record<SaleKind, (amount: string) => string[]>> = {
  sale: (amount) => [`authorize ${amount} approved`, `capture ${amount} approved`],
  'sale by token': (amount) => [`charge_credential ${amount} approved`, `capture ${amount} approved`],
  'shared sale': (amount) => [`confirm ${amount} requires_capture`, `capture ${amount} succeeded`],
}

type Sale = {
  id: string
  /** Does what starts the work of the workers. */
  goOn(): Promise<void>
  /** Has other workers end it. Answers how the world's memory of it differs from what must be. */
  inherit(): Promise<string[]>
  stop(): Promise<void>
}

/** A platform's checkout at the sandbox's merchant, which confirms its orders, before it is completed. */
export async function prepareSale(service: Service, profile: string, kind: SaleKind): Promise<Sale> {
  const url = service.ready.database_url
  const platform = await startUcpPlatform()
  const { stripe_url: stripeUrl, control_token: controlToken } = service.ready.sandbox
  const stripe = stripeSimulator({ stripeUrl, controlToken })
  const at = { url: service.ready.base_url }
  const merchant = (await service.get('/v1/merchant')) as { slug: string } // as the reference says
  const listed = (await service.get('/v1/merchant/catalog_items?limit=200')) as {
    data: { url: string; variants: { id: string }[] }[]
  }
  const item = listed.data.find((one) => one.url === service.ready.sandbox.items.ok)
  const base = `/ucp/test/m/${merchant.slug}/checkout-sessions`
  let calls = 0
  const ask = async (path: string, body: object) => {
    calls += 1
    const headers = { 'idempotency-key': `${platform.profileUrl} ${calls}` }
    const answer = await askBusiness(at, platform, base + path, { body, signed: true, headers })
    if (answer.status >= 300 || answer.body.ucp?.status === 'error')
      throw new Error(`the merchant refused: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const destination = {
    street_address: '5 Oak Rd',
    address_locality: 'Bend',
    postal_code: '97701',
    address_country: 'US',
  }
  const made = await ask('', {
    line_items: [{ item: { id: item?.variants[0]?.id }, quantity: 1 }],
    buyer: { first_name: 'Ada', email: 'ada@example.com' },
    fulfillment: { methods: [{ type: 'shipping', destinations: [destination] }] },
  })

  const id = String(made.id)
  const token =
    kind === 'sale by token'
      ? await makeToken(service, profile, {
          merchant: { slug: merchant.slug },
          amount: total(made) ?? 0,
          currency: service.ready.sandbox.item_currency,
          binding: { checkout_id: id },
        })
      : null
  const payment = async () => {
    if (token !== null) return paidBy(token.token)
    return kind === 'sale' ? paid() : paidByShared(await stripe.grant())
  }

  async function differences(): Promise<string[]> {
    const [sale] = await queryStored<{ state: string; order_id: string; amount: string }>(
      url,
      'select s.state, s.order_id, s.amount from sales s join checkouts c on c.sale_id = s.id where c.id = $1',
      [id],
    )
    if (sale?.state !== 'captured') return [`the sale is ${sale?.state} instead of captured`]
    const { processor } = await service.testimony()
    const byCard = processor
      .filter(({ reference }) => reference?.includes(sale.order_id))
      .map(({ operation, amount, result }) => `${operation} ${amount} ${result}`)
    const money = [...byCard, ...(await stripe.moneyOf(sale.order_id))]
    const expected = moneyOf[kind](sale.amount)
    return [
      ...(money.join() === expected.join() ? [] : [`the rails remember ${money.join(', ')}`]),
      ...(token === null ? [] : await differencesOfToken(service, token, Number(sale.amount))),
    ]
  }

  return {
    id,
    goOn: async () => void (await ask(`/${id}/complete`, await payment())),
    async inherit() {
      let open: string[] = []
      for (let heirs = 0; heirs < heirsMax; heirs++) {
        await advanceTestClock(url, leaseSeconds)
        const heir = await service.startRole('worker')
        const wait = patience(heirPatienceMs)
        do {
          open = await differences()
          if (open.length > 0) await delay(100)
        } while (open.length > 0 && !wait.isOver())
        await heir.stop(8000)
        if (open.length === 0) return []
      }
      return open
    },
    stop: () => platform.stop(),
  }
}

type Token = { id: string; token: string; intent: string }

function paidBy(token: string) {
  const credential = { type: 'vault_token', token }
  return { payment: { instruments: [{ id: 'pi_1', handler_id: 'vault_token', type: 'card', credential }] } }
}

/** A purchase of the merchant's item, and its token. The worker that issues it is gone before any other one dies. */
async function makeToken(service: Service, profile: string, body: object): Promise<Token> {
  const post = async (path: string, sent: object, status: number) =>
    bodyOf(
      await service.client().rest({ method: 'POST', path, key: service.person, body: JSON.stringify(sent) }),
      status,
    )
  const { items, item_price: amount, item_currency: currency } = service.ready.sandbox
  const item = { url: items.ok, quantity: 1, expected_amount: amount, expected_currency: currency }
  const terms = { profile_id: profile, items: [item], execution_method: 'payment_token' }
  const { id: intent } = await post('/v1/purchase_intents', terms, 201)
  await post(`/v1/purchase_intents/${intent}/approve`, { approve: true }, 200)
  const worker = await service.runRole('worker')
  const made = await post(`/v1/purchase_intents/${intent}/payment_tokens`, body, 201)
  const wait = patience(heirPatienceMs)
  for (let issued = false; !issued && !wait.isOver(); await delay(50)) {
    const { processor } = await service.testimony()
    issued = processor.some(
      ({ operation, reference }) =>
        operation === 'issue_credential' && reference?.startsWith(`${intent}/`) === true,
    )
  }
  worker.kill('SIGTERM')
  await worker.ended
  return { id: String(made.id), token: String(made.token), intent: String(intent) }
}

/** The token was used once, and its purchase cost what the merchant charged. */
async function differencesOfToken(
  service: Service,
  { id, intent }: Token,
  charged: number,
): Promise<string[]> {
  const { status, actual_amount } = await service.read(intent)
  const used = await queryStored(
    service.ready.database_url,
    `select 1 from events where aggregate_id = $1 and type = 'payment_token.used'`,
    [id],
  )
  return [
    ...(used.length === 1 ? [] : [`${id} was told ${used.length} times to be used`]),
    ...(status === 'succeeded' && actual_amount === charged
      ? []
      : [`${intent} is ${status} for ${actual_amount}, and ${charged} was charged`]),
  ]
}
