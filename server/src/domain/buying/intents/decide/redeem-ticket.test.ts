import { describe, expect, test } from 'vitest'
import { atStage, type SignInWait } from '../cart-stage.ts'
import type { LoadedIntent } from '../intent.ts'
import type { CredentialTicket } from './credential-tickets.ts'
import { decideTicket } from './redeem-ticket.ts'

const now = new Date('2026-11-26T12:00:00Z')
const later = new Date(now.getTime() + 1)
const wall: SignInWait = { until: later, host: 'shop.example', code: null }
const open: CredentialTicket = {
  intentId: 'pi_1',
  cartId: 'cart_1',
  host: 'shop.example',
  kind: 'password',
  state: 'open',
}

/** As much of a purchase as is looked at. */
function purchase(
  status: string,
  { wait = wall, ...cart }: { status?: string; wait?: SignInWait | null } = {},
) {
  const stage = atStage(wait ? { kind: 'sign_in', ...wait } : { kind: 'none' })
  const one = { id: 'cart_1', status: 'awaiting_merchant_auth', ...stage, ...cart }
  return { intent: { id: 'pi_1', status }, carts: [one] } as unknown as LoadedIntent // of the fields that count
}

const atWall = purchase('awaiting_merchant_auth')

describe('what becomes of a ticket', () => {
  test.each<[string, CredentialTicket | null, LoadedIntent, string]>([
    ['nobody has made it', null, atWall, 'unknown'],
    ['it is open, and its cart waits', open, atWall, 'use'],
    ['a merchant has refused the one before', open, purchase('merchant_auth_failed'), 'use'],
    ['it was used', { ...open, state: 'used' }, atWall, 'used'],
    ['it was destroyed', { ...open, state: 'destroyed' }, atWall, 'used'],
    ['it has expired', { ...open, state: 'expired' }, atWall, 'used'],
    ['it is of another purchase, and used', { ...open, state: 'used', intentId: 'pi_2' }, atWall, 'used'],
    ['it is of another purchase', { ...open, intentId: 'pi_2' }, atWall, 'wrong_intent'],
    [
      'it is of another purchase than one at no wall',
      { ...open, intentId: 'pi_2' },
      purchase('approved'),
      'wrong_intent',
    ],
    ['the purchase goes on already', open, purchase('approved', { status: 'in_progress' }), 'not_at_a_wall'],
    ['the purchase has ended', open, purchase('failed', { status: 'failed', wait: null }), 'not_at_a_wall'],
    ['another cart waits', { ...open, cartId: 'cart_2' }, atWall, 'not_at_a_wall'],
    ['a code is in it, and the shop asks for a password', { ...open, kind: 'code' }, atWall, 'not_at_a_wall'],
    [
      'the shop waits for a code, and a password is in it',
      open,
      purchase('awaiting_merchant_auth', {
        wait: { ...wall, code: { until: later, session: 'bvp_1' } },
      }),
      'not_at_a_wall',
    ],
    ['another host asks', { ...open, host: 'evil.example' }, atWall, 'not_at_a_wall'],
    [
      'its time is over at this moment',
      open,
      purchase('awaiting_merchant_auth', { wait: { until: now, host: null, code: null } }),
      'not_at_a_wall',
    ],
    [
      'the way of buying does not say who asks',
      open,
      purchase('awaiting_merchant_auth', { wait: { until: later, host: null, code: null } }),
      'use',
    ],
  ])('where %s', (_, ticket, loaded, kind) => {
    expect(decideTicket(ticket, loaded, now).kind).toBe(kind)
  })
})
