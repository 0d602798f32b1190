import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, type Driver, insist, insistAsWished, rest, tool } from './ask.ts'
import type { Wish } from './wish.ts'

/** Makes the purchase, approves it where a person must, and cancels it where the wish says so. */
export async function pursuePurchase(driver: Driver, wish: Wish): Promise<void> {
  const id = await purchase(driver, wish)
  if (id === null || wish.cancelAfterMs === null) return
  await delay(wish.cancelAfterMs)
  await decide(driver, wish, id, 'cancel', { reason: 'Changed their mind' })
}

/** Starts the purchase of a wish, and answers its id. */
export async function purchase(driver: Driver, wish: Wish): Promise<string | null> {
  const profile = wish.hasProfile ? await newProfile(driver, wish) : null
  const first = await insistAsWished(driver, {
    deed: 'create',
    wish,
    name: `create-${wish.reference}`,
    target: null,
    send: createOf(driver, wish, profile),
  })
  const id = first?.id ?? null
  if (id === null) return null
  if (isAttended(wish, profile)) await approve(driver, wish, id)
  return id
}

export async function approve(driver: Driver, wish: Wish, id: string): Promise<void> {
  await decide(driver, wish, id, 'approve', { approve: true })
}

async function decide(
  driver: Driver,
  wish: Wish,
  id: string,
  deed: 'approve' | 'cancel',
  body: object,
): Promise<void> {
  const name = `${deed}-${wish.reference}`
  const request = { path: `/v1/purchase_intents/${id}/${deed}`, key: driver.order.keys.person, name, body }
  await insist(driver, { deed, wish, name, target: id, send: rest(driver, request) })
}

function isAttended(wish: Wish, profile: string | null): boolean {
  return !wish.isUnattended || profile !== null
}

async function newProfile(driver: Driver, wish: Wish): Promise<string | null> {
  const { person: key } = driver.order.keys
  const name = `profile-${wish.reference}`
  const body = { first_name: 'Ada', last_name: wish.reference, email: 'ada@example.com', country: 'US' }
  const send = rest(driver, { path: '/v1/profiles', key, name, body })
  const made = await insist(driver, { deed: 'profile', wish, name, target: null, send })
  return made?.id ?? null
}

/** A wish's own profile has no card, so its purchase is made for the usual profile and names its own in its metadata. */
function createOf(driver: Driver, wish: Wish, profile: string | null): (base: string) => Promise<Answer> {
  const { order } = driver
  const body = {
    profile_id: isAttended(wish, profile) ? order.profiles.attended : order.profiles.unattended,
    items: wish.items,
    reference_id: wish.reference,
    // Delivery costs the same at a stranger, however little is bought beside it.
    ...(wish.kind === 'stranger' ? { preferences: { fulfillment: { max_fee_amount: 2_000 } } } : {}),
    ...(wish.kind === 'token' ? { execution_method: 'payment_token' } : {}),
    metadata: profile === null ? {} : { profile },
  }
  const name = `create-${wish.reference}`
  // Only who may release money can make the token that the purchase waits for.
  const key = wish.kind === 'token' ? order.keys.person : order.keys.agent
  return wish.transport === 'mcp'
    ? tool(driver, 'v1_create_purchase_intent', { ...body, idempotency_key: name }, key)
    : rest(driver, { path: '/v1/purchase_intents', key, name, body })
}
