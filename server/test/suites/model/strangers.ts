import { createHash } from 'node:crypto'
import { memberOf } from '../client.ts'
import {
  channelOf,
  day,
  hasStrangerOrder,
  hour,
  type Model,
  type ModelCart,
  type ModelIntent,
} from './model.ts'
import { codeOf, type Real } from './real.ts'
import { resultOf } from './shop.ts'

/** How long the answer to a paid request is kept, and how near to the end of that nobody says whether it still is. */
const keptMs = 30 * day
const nearMs = hour

/**
 * What a buyer can read of each cart at a stranger once a history is over: an order that is neither cancelled nor returned here, or the
 * answer that was paid for; and of what was not bought, nothing.
 */
export async function expectStrangers(model: Model, real: Real, intent: ModelIntent): Promise<void> {
  for (const cart of intent.carts) {
    const channel = channelOf(cart.shop)
    if (channel === 'ucp' || channel === 'browser') await expectOrder(real, cart)
    if (channel === 'mpp') await expectResult(model, real, { intent, cart })
  }
}

async function expectOrder(real: Real, cart: ModelCart): Promise<void> {
  if (!hasStrangerOrder(cart)) return
  const { strangerOrder: id } = cart
  const key = real.keys.person.token
  const shown = await real.send({ method: 'GET', path: `/v1/orders/${id}`, key })
  const told = (name: string) => memberOf(shown.body, name)
  const facts = [told('channel'), told('status'), told('payment_status'), told('total_amount')]
  const foretold = [channelOf(cart.shop), 'confirmed', 'captured', cart.actual]
  if (facts.join() !== foretold.join())
    throw new Error(`the order ${id} at a stranger is ${facts.join()}, foretold ${foretold.join()}`)
  for (const what of ['cancel', 'returns']) {
    const refused = await real.send({ path: `/v1/orders/${id}/${what}`, key, body: {} })
    if (refused.status !== 409 || codeOf(refused) !== 'not_supported_by_merchant')
      throw new Error(`${what} of ${id} at a stranger was answered ${refused.status} ${refused.text}`)
  }
}

async function expectResult(
  model: Model,
  real: Real,
  { intent, cart }: { intent: ModelIntent; cart: ModelCart },
): Promise<void> {
  const { answeredAt } = cart
  const path = `/v1/purchase_intents/${intent.id}/carts/${cart.id}/result`
  const sent = await real.send({ method: 'GET', path, key: real.keys.reader.token })
  if (answeredAt === null) {
    if (sent.status !== 404) throw new Error(`${cart.id} has a result and bought none: ${sent.status}`)
    return
  }
  const ageMs = model.now - answeredAt
  if (Math.abs(ageMs - keptMs) < nearMs) return
  const isKept = ageMs < keptMs
  const foretold = isKept ? 200 : 410
  if (sent.status !== foretold)
    throw new Error(`the result of ${cart.id} was answered ${sent.status}, foretold ${foretold}`)
  const bytes = resultOf(`${cart.id}:${cart.attempt}`)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  if (isKept && memberOf(sent.body, 'sha256') !== sha256)
    throw new Error(`the result of ${cart.id} is not what was answered: ${sent.text.slice(0, 300)}`)
}
