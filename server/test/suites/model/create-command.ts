import fc from 'fast-check'
import { type Command, command, remember, sometimes, storedAnswer } from './commands.ts'
import { keyArbitrary } from './decision-commands.ts'
import {
  channelOf,
  domainOf,
  identityOf,
  isNative,
  isUnknown,
  type Model,
  type ModelItem,
  type ModelSeller,
  terminal,
  usualPrice,
} from './model.ts'
import { predictCreate } from './predict-create.ts'
import { expectAnswer, expectSequence, expectShown, type Real, realSeller } from './real.ts'
import { type Scenario, scenarios, urlOf } from './scenarios.ts'

const most = 18

const quiet: readonly Scenario[] = ['ok', 'up3', 'late', 'lost_placed']

const scenario = fc.oneof(
  { weight: 11, arbitrary: fc.constant<Scenario>('ok') },
  { weight: 7, arbitrary: fc.constantFrom(...scenarios) },
  { weight: 5, arbitrary: fc.constantFrom<Scenario>('up20', 'sign_in', 'mute_charged') },
)

/** An item before the merchants are known. */
type WrittenItem = Omit<ModelItem, 'soldBy'> & { seller: number }

const ours = { shop: 'native', unit: usualPrice, first: 'ok', later: 'ok' } as const

const item = fc
  .record({
    // Of our merchants, of any number: `native` and the number of one.
    shop: fc.constantFrom('a', 'b', 'u', 'm', 'p', 'native', 'native', 'native', 'native'),
    seller: fc.nat(11),
    unit: fc.constantFrom(1000, 999, 2500, 100, 10_000),
    quantity: fc.integer({ min: 1, max: 3 }),
    first: scenario,
    later: fc.constantFrom<Scenario>(
      'ok',
      'ok',
      'rejected',
      'out_of_stock',
      'sign_in',
      'mute_charged',
      'up20',
    ),
  })
  .map((made): WrittenItem => {
    if (made.shop === 'native') return { ...made, ...ours }
    // What is bought is the answer to one request.
    return channelOf(made.shop) === 'mpp' ? { ...made, quantity: 1 } : made
  })

/** At most one item asks a person something, since the order of two is not promised. */
function calmed(items: WrittenItem[]): WrittenItem[] {
  let asks = 0
  return items.map((one) => {
    const isAsking = [one.first, one.later].some((how) => how === 'up20' || how === 'sign_in')
    if (!isAsking || ++asks === 1) return one
    return { ...one, first: quiet[one.quantity % quiet.length] ?? 'ok', later: 'ok' }
  })
}

const mixed = fc.array(item, { minLength: 1, maxLength: 3 }).map(calmed)

/** Items of each of our merchants, or of nearly all. */
const fromSellers = fc
  .array(item, { minLength: 2, maxLength: 5 })
  .map((items) => items.map((one, seller) => ({ ...one, ...ours, seller })))

export const createArbitrary: fc.Arbitrary<Command> = fc
  .record({
    key: keyArbitrary,
    profile: fc.constantFrom(0, 0, 0, 0, 1, 2),
    items: fc.oneof({ weight: 3, arbitrary: mixed }, { weight: 1, arbitrary: fromSellers }),
    currency: fc.constantFrom<'EUR' | 'USD'>('EUR', 'EUR', 'EUR', 'EUR', 'EUR', 'EUR', 'USD'),
    callerMax: sometimes(6, fc.constantFrom(1, 2000, 6000, 40_000, 100_000)),
    feeSaid: sometimes(7, fc.constantFrom(0, 300, 5000)),
    policy: sometimes(7, fc.nat(8)),
    method: sometimes(7, fc.nat(8)),
    idem: sometimes(6, fc.nat(3)),
  })
  .map((made) =>
    command(
      `create ${JSON.stringify(made)}`,
      async (model, real) => {
        const policy =
          made.policy === null
            ? null
            : (model.policies[made.policy % Math.max(1, model.policies.length)] ?? null)
        const methods = model.profiles[made.profile]?.methods ?? []
        const method =
          made.method === null ? null : (methods[made.method % Math.max(1, methods.length)] ?? null)
        // Our merchants sell in euros alone.
        const items = resolved(model, made.items)
        const currency = items.some(({ shop }) => isNative(shop)) ? 'EUR' : made.currency
        const request = { ...made, items, policy, method, currency } as const
        const call = {
          path: '/v1/purchase_intents',
          key: real.keys[made.key].token,
          idempotencyKey: made.idem === null ? null : `create-${made.idem}`,
          body: bodyFor(model, real, request),
        }
        const sent = await real.send(call)
        const known = made.key === 'reader' ? null : storedAnswer(model, 'create', call)
        if (known?.intent) {
          if (JSON.stringify([call.path, call.body]) !== known.request)
            return expectAnswer(sent, { status: 409, code: 'idempotency_key_conflict' })
          expectAnswer(sent, { status: 200, code: null })
          expectShown(known.intent, sent.body)
          return await expectSequence(real, known.intent)
        }
        const foretold = predictCreate(model, request)
        expectAnswer(sent, foretold)
        if (!foretold.intent) return
        expectShown(foretold.intent, sent.body)
        remember(model, 'create', call, { sent, intent: foretold.intent })
        await expectSequence(real, foretold.intent)
      },
      (model) =>
        model.intents.length < most &&
        askersOf(model, resolved(model, made.items)) < 2 &&
        // When two carts get one address, either may be decided first.
        !(
          made.profile === 2 &&
          model.intents.some(({ awaitsAddress, status }) => awaitsAddress && status === 'awaiting_approval')
        ),
    ),
  )

/** Nobody buys from a merchant of ours that has moved away: under its old name there is another shop. */
function resolved(model: Readonly<Model>, items: readonly WrittenItem[]): ModelItem[] {
  const home = model.sellers.filter(({ isMoved }) => !isMoved)
  return items.map(({ seller: at, ...item }) => {
    const seller = item.shop === 'native' ? home[at % Math.max(1, home.length)] : undefined
    const shop = seller?.name ?? (item.shop === 'native' ? 'a' : item.shop)
    return { ...item, shop, soldBy: identityOf(model, shop) }
  })
}

/** How many items would ask a person something. A changed price of one of our merchants asks, too. */
function askersOf(model: Readonly<Model>, items: readonly ModelItem[]): number {
  const dear = model.sellers.filter(
    ({ name, price }) => price !== usualPrice && items.some(({ shop }) => shop === name),
  )
  return dear.length + (asksSomething(items) ? 1 : 0)
}

function asksSomething(items: readonly ModelItem[]): boolean {
  return items.some(({ first, later }) => [first, later].some((how) => how === 'up20' || how === 'sign_in'))
}

/** Purchases with an item of this merchant, and another cart that could ask a person as well. */
export function isTouchy(model: Readonly<Model>, seller: ModelSeller): boolean {
  return model.intents.some(({ items, status, carts, question }) => {
    const isOver = terminal.includes(status) && status !== 'failed' && !carts.some(isUnknown)
    if (isOver || !items.some(({ shop }) => shop === seller.name)) return false
    const others = items.filter(({ shop }) => shop !== seller.name)
    return askersOf(model, others) > 0 || (question !== null && question.cart.shop !== seller.name)
  })
}

type Made = Parameters<typeof predictCreate>[1]

function bodyFor(model: Model, real: Real, made: Made): object {
  return {
    profile_id: model.profiles[made.profile]?.id,
    items: made.items.map((one) => ({
      url: isNative(one.shop) ? realSeller(real, one.shop).url : urlOf(domainOf(one.shop), one),
      quantity: one.quantity,
      expected_amount: one.unit,
      expected_currency: made.currency,
    })),
    ...(made.callerMax === null ? {} : { max_amount: made.callerMax }),
    ...(made.policy ? { policy_id: made.policy.id } : {}),
    ...(made.method ? { profile_payment_method_id: made.method.id } : {}),
    ...(made.feeSaid === null ? {} : { preferences: { fulfillment: { max_fee_amount: made.feeSaid } } }),
  }
}
