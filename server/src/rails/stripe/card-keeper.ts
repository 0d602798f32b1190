import type { Stripe } from 'stripe'
import type { Mode } from '../../contract/context.ts'
import type { CardKeeper, KeptCard } from '../../domain/buyers/card-setups/port.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import { isRecord } from '../../platform/egress/peer-json.ts'
import { keyField } from './payment-intent.ts'
import type { StripeAccount } from './stripe.ts'
import { openStripeApi, type StripeAnswer, within } from './stripe-api.ts'

type Keeping = StripeAccount & { readonly publishableKey: string }

const away = { kind: 'away' } as const

/**
 * Stripe as the keeper of cards: a profile is a customer, and a card is entered by a SetupIntent for payments without its holder, which its
 * bank agrees to, by 3-D Secure where it wants to. Nothing is charged by that.
 */
export function createCardKeeper({
  egress,
  accounts,
}: {
  readonly egress: Egress
  readonly accounts: Readonly<Partial<Record<Mode, Keeping>>>
}): CardKeeper {
  const apis = new Map(
    Object.entries(accounts).map(([mode, account]) => [mode, openStripeApi({ ...account, egress })]),
  )
  const apiOf = (mode: Mode) => {
    const api = apis.get(mode)
    if (api === undefined) throw new Error(`no cards of ${mode} mode are kept`)
    return api
  }

  return {
    rail: 'stripe',
    publishableKeys: Object.fromEntries(
      Object.entries(accounts).map(([mode, { publishableKey }]) => [mode, publishableKey]),
    ),
    async openCustomer({ key }, call) {
      const params = { metadata: { [keyField]: key } }
      const said = await apiOf(call.mode).send(
        (stripe, options) => stripe.customers.create(params, options),
        call,
        key,
      )
      const id = idIn(said)
      return id === null ? away : { kind: 'opened', id }
    },
    async begin({ key, customer }, call) {
      const params = {
        customer,
        usage: 'off_session' as const,
        allowed_payment_method_types: ['card'],
        metadata: { [keyField]: key },
      } satisfies Stripe.SetupIntentCreateParams
      const said = await apiOf(call.mode).send(
        (stripe, options) => stripe.setupIntents.create(params, options),
        call,
        key,
      )
      const reference = idIn(said)
      const secret = said.kind === 'answer' ? said.body.client_secret : null
      if (reference === null || typeof secret !== 'string') return away
      return { kind: 'begun', reference, clientSecret: secret }
    },
    async read(reference, call) {
      const next = within(call)
      const api = apiOf(call.mode)
      const setup = await api.send(
        (stripe, options) => stripe.setupIntents.retrieve(reference, {}, options),
        next(),
      )
      if (setup.kind !== 'answer' || setup.status !== 200) return away
      const { status, payment_method: method, customer } = setup.body
      // guard entered-and-agreed: a card whose bank has not agreed is charged nothing
      if (status !== 'succeeded') return { kind: 'open' }
      if (typeof method !== 'string' || typeof customer !== 'string') return away
      const read = await api.send(
        (stripe, options) => stripe.paymentMethods.retrieve(method, {}, options),
        next(),
      )
      const card = read.kind === 'answer' && read.status === 200 ? cardIn(read.body) : null
      return card === null ? away : { kind: 'kept', card: { ...card, customer, method } }
    },
    async forget(method, call) {
      const said = await apiOf(call.mode).send(
        (stripe, options) => stripe.paymentMethods.detach(method, {}, options),
        call,
      )
      // Detached before, it is refused; unknown, there is nothing that could be kept.
      const isOver = said.kind === 'answer' && [200, 400, 404].includes(said.status)
      return isOver ? { kind: 'gone' } : away
    },
  }
}

function idIn(said: StripeAnswer): string | null {
  if (said.kind !== 'answer' || said.status !== 200) return null
  return typeof said.body.id === 'string' ? said.body.id : null
}

function cardIn({ card }: Readonly<Record<string, unknown>>): Omit<KeptCard, 'customer' | 'method'> | null {
  if (!isRecord(card)) return null
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = card
  if (typeof brand !== 'string' || typeof last4 !== 'string') return null
  if (typeof expMonth !== 'number' || typeof expYear !== 'number') return null
  return { brand, last4, expMonth, expYear }
}
