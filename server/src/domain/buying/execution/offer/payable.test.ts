import { describe, expect, test } from 'vitest'
import type { Way } from '../../channels/port.ts'
import { timing } from '../../rails/timing.ts'
import { advance } from '../advance.ts'
import type { CartState } from '../cart-state.ts'
import { base, effect, offer } from '../states.testing.ts'
import { beforePaying } from './payable.ts'

const page: Way = {
  kind: 'outbound',
  payment: 'credential',
  hasStrangers: true,
  form: 'card',
  longestCallMs: timing.longestCallMs,
}
const token: Way = { ...page, form: 'token' }
const at = { evidence_at: null, why: 'The operator says so.' }
const route = {
  site: 'https://shop.example',
  candidates: [
    { channel: 'ucp' as const, ...at },
    { channel: 'browser' as const, ...at },
  ],
  chosen: 'ucp' as const,
  excluded: [],
}
const payers = {
  wallet: { kept_by: 'link', kept_customer: 'w', kept_method: 'm' },
  card: { kept_by: 'stripe', kept_customer: 'cus_1', kept_method: 'pm_1' },
}

type Asked = {
  readonly payer?: keyof typeof payers
  readonly channel?: 'ucp' | 'browser'
  readonly currency?: string
  readonly expected?: bigint
  readonly total?: bigint
  readonly cardless?: boolean
}

/** A cart of live mode that a wallet rail could pay, beside the one for cards. */
function cart({
  payer,
  channel = 'browser',
  currency = 'USD',
  expected = 1_800n,
  ...more
}: Asked): CartState {
  const means = {
    ...base.means,
    ways: { ucp: token, browser: page },
    offered: ['ucp', 'browser'] as const,
    rail: 'stripe',
    rails: ['stripe', 'link'],
    prefunded: ['stripe'],
    cardless: more.cardless ? ['stripe'] : [],
    wallets: { link: { currency: 'USD', amountMax: 50_000n, cardSeconds: 39_600 } },
  }
  return {
    ...base,
    tenant: { ...base.tenant, mode: 'live' },
    means,
    cart: {
      ...base.cart,
      merchant_account_id: null,
      channel,
      currency,
      expected_amount: expected,
      route: { ...route, chosen: channel },
    },
    accepted: more.total === undefined ? null : { ...offer, total: more.total, currency },
    // Of what pays only this is looked at.
    known: payer
      ? { payer: { id: 'pm_1', ...payers[payer] } as unknown as NonNullable<CartState['known']['payer']> }
      : {},
  }
}

function whyOf(asked: Asked): string | null {
  const turn = beforePaying(cart(asked))
  if (turn === null) return null
  const { excluded } = turn.state.cart.route ?? { excluded: [] }
  return excluded.at(-1)?.why ?? 'something else'
}

describe('a wallet', () => {
  test.each([
    ['at pages', {}, null],
    ['in another way', { channel: 'ucp' }, 'A wallet at Link pays at shops with pages alone.'],
    ['in another currency', { currency: 'CAD' }, 'A wallet at Link pays in USD alone.'],
    ['up to its limit', { expected: 50_000n }, null],
    ['above its limit', { expected: 50_001n }, 'A wallet at Link pays at most $500.00 for one purchase.'],
    ['for an offer up to its limit', { total: 50_000n }, null],
    [
      'for an offer above its limit',
      { total: 50_001n },
      'A wallet at Link pays at most $500.00 for one purchase.',
    ],
  ] as const)('that is to pay %s', (_, asked, why) => {
    expect(whyOf({ payer: 'wallet', ...asked })).toBe(why)
  })

  test('leaves the way that it cannot pay for the next one, and the cart without any says what helps', () => {
    const next = beforePaying(cart({ payer: 'wallet', channel: 'ucp' }))?.state.cart
    expect(next).toMatchObject({ channel: 'browser', status: base.cart.status })
    const over = beforePaying(cart({ payer: 'wallet', currency: 'CAD', channel: 'browser' }))?.state
    // The other way is looked at before the cart fails.
    expect(over?.cart).toMatchObject({ channel: 'ucp' })
    const last = over && beforePaying(over)?.state.cart
    expect(last).toMatchObject({
      status: 'failed',
      failure: { code: 'payment_method_required', message: 'A wallet at Link pays in USD alone.' },
    })
  })

  test('is asked for the card, without a hold at anything else, and for no longer than it is good', () => {
    const asked = cart({ payer: 'wallet', total: offer.total })
    const known = { ...asked.known, railHeld: { rail: 'link', seconds: 0 }, news: [] }
    const { state } = advance({ ...asked, known }, { kind: 'looked' })
    expect(state.effects.map(({ step, rail, request }) => [step, rail, request.form])).toEqual([
      ['issue_credential', 'link', 'card'],
    ])
    const [{ request }] = state.effects as [CartState['effects'][number]]
    expect(new Date(request.expires_at ?? '').getTime() - base.now.getTime()).toBe(39_600_000)
  })
})

describe('a card', () => {
  test('pays as without wallets, and at pages where cards are issued', () => {
    expect(whyOf({ payer: 'card' })).toBeNull()
    expect(whyOf({ payer: 'card', channel: 'ucp', cardless: true })).toBeNull()
    expect(whyOf({ payer: 'card', cardless: true })).toBe(
      'No card can be issued here for what the buyer pays with.',
    )
  })
})

test('what pays is read before anything is asked for, and no more once it was', () => {
  expect(beforePaying(cart({}))?.next).toEqual({ kind: 'command', command: { kind: 'read', fact: 'payer' } })
  const asked = { ...cart({}), effects: [effect('issue_credential', 'sent')] }
  expect(beforePaying(asked)).toBeNull()
  const alone = cart({})
  expect(beforePaying({ ...alone, means: { ...alone.means, wallets: {} } })).toBeNull()
})
