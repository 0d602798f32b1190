import { newKey, type Outcome, type Refusal, recordOf } from './call.ts'
import { itemName, visible } from './item-name.ts'
import { seal } from './seal.ts'
import type { SessionCalls } from './session.ts'

/** How the purchase stands, as far as a sign-in at its shop goes. */
export type Standing = {
  readonly sequence: number
  readonly state:
    | Wall
    | { readonly kind: 'checking' }
    | { readonly kind: 'signed_in' }
    | { readonly kind: 'over' }
}

/** A shop waits for what a person types. */
export type Wall = {
  readonly kind: 'wall'
  readonly host: string
  readonly asks: 'password' | 'code'
  /** It has not taken what was typed last. */
  readonly isRefused: boolean
  readonly cartId: string
  /** What is bought, and the most that can be charged for it, in minor units. */
  readonly items: readonly { readonly name: string; readonly quantity: number }[]
  readonly currency: string
  readonly cap: number
}

export type Typed = { readonly username: string; readonly password: string } | { readonly code: string }

/** What came of sealing: `not_sealed` is this browser's fault. */
type Minted = Outcome<string> | { readonly kind: 'not_sealed' }

type SignInCalls = {
  /** `cartId`: the cart that somebody has signed in for; null: none yet. */
  standing(cartId: string | null): Promise<Outcome<Standing>>
  /** The standing once it is past this one. */
  next(after: Standing, cartId: string): Promise<Outcome<Standing>>
  mint(wall: Wall, typed: Typed): Promise<Minted>
  /** The purchase goes on with the ticket. */
  submit(ticket: string, cartId: string): Promise<Outcome<Standing>>
}

const waitSeconds = 20

export function createSignInCalls({ ask }: SessionCalls): SignInCalls {
  async function mintOnce(wall: Wall, typed: Typed): Promise<Minted> {
    const begun = await ask('purchase_intent/credential_tickets', { body: {} })
    if (begun.kind !== 'done') return begun
    const { id, info, sealing_key, host, kind, cart_id } = begun.value
    // It is sealed for the host that the person was shown, or not at all.
    if (host !== wall.host || kind !== wall.asks || cart_id !== wall.cartId) return asksElse
    const { key, public_key } = recordOf(sealing_key)
    const sealed = await seal({ publicKey: String(public_key), info: String(info) }, typed)
    if (sealed === null) return { kind: 'not_sealed' }
    const path = `purchase_intent/credential_tickets/${encodeURIComponent(String(id))}/seal`
    const left = await ask(path, { body: { key, ...sealed } })
    return left.kind === 'done' ? { kind: 'done', value: String(id) } : left
  }
  return {
    standing: async (cartId) => standingOf(await ask('purchase_intent'), cartId),
    next: async ({ sequence }, cartId) =>
      standingOf(await ask(`purchase_intent?wait_seconds=${waitSeconds}&after_sequence=${sequence}`), cartId),
    async mint(wall, typed) {
      const minted = await mintOnce(wall, typed)
      // The vault was started anew between the two calls: its keys are others.
      return minted.kind === 'refused' && minted.code === 'ticket_not_sealed' ? mintOnce(wall, typed) : minted
    },
    async submit(ticket, cartId) {
      const request = { body: { credential_ticket_id: ticket }, idempotencyKey: newKey() }
      const first = await ask('purchase_intent/retry', request)
      // With the same key, it is told what it was not heard to answer.
      const said = first.kind === 'no_answer' ? await ask('purchase_intent/retry', request) : first
      return standingOf(said, cartId)
    },
  }
}

/** Meanwhile another shop asks, or for something else. */
const asksElse: Refusal = {
  kind: 'refused',
  code: 'component_not_applicable',
  message: 'The purchase waits for another sign-in now.',
  param: null,
  retryAfterS: null,
}

/** Whether the purchase itself says what to do next: the ticket was used meanwhile, or nobody asks any more. */
export function isOvertaken({ code }: Refusal): boolean {
  return ['ticket_used', 'ticket_wrong_intent', 'not_retryable', 'component_not_applicable'].includes(code)
}

const ended: readonly string[] = ['failed', 'cancelled', 'declined']

function standingOf(said: Outcome<Record<string, unknown>>, cartId: string | null): Outcome<Standing> {
  if (said.kind !== 'done') return said
  const { value } = said
  return { kind: 'done', value: { sequence: Number(value.sequence), state: stateOf(value, cartId) } }
}

function stateOf(intent: Record<string, unknown>, cartId: string | null): Standing['state'] {
  const action = recordOf(intent.next_action)
  if (action.element === 'MerchantAuthHandoff') return wallOf(intent, action)
  if (ended.includes(String(intent.status))) return { kind: 'over' }
  const cart = recordsOf(intent.carts).find(({ id }) => id === cartId)
  // A shop that has said what it costs has let its customer in.
  const isIn = cart !== undefined && (cart.status === 'succeeded' || recordOf(cart.offer).total !== undefined)
  if (isIn || intent.status === 'succeeded') return { kind: 'signed_in' }
  return { kind: cart === undefined ? 'over' : cart.status === 'failed' ? 'over' : 'checking' }
}

function wallOf(intent: Record<string, unknown>, action: Record<string, unknown>): Wall {
  const host = String(action.merchant_domain)
  const all = recordsOf(intent.items)
  const here = all.filter(({ url }) => isOf(hostOf(String(url)), host))
  // A shop may sign its customers in somewhere else altogether.
  const items = here.length === 0 ? all : here
  return {
    kind: 'wall',
    host,
    asks: action.type === 'provide_input' ? 'code' : 'password',
    isRefused: intent.status === 'merchant_auth_failed',
    cartId: String(action.cart_id),
    items: items.map(({ url, quantity }) => ({ name: nameOf(String(url)), quantity: Number(quantity) })),
    currency: String(intent.currency_code),
    cap: Number(intent.max_allowed_amount),
  }
}

function isOf(one: string, other: string): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`)
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : ''
}

function nameOf(url: string): string {
  return URL.canParse(url) ? itemName(new URL(url)) : visible(url)
}

function recordsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(recordOf) : []
}
