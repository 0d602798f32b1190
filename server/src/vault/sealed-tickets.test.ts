import { describe, expect, test } from 'vitest'
import { sealTicket } from '../../test/harness/seal-ticket.ts'
import type { SealedTicket, VaultTenant } from '../platform/vault-client/vault-words.ts'
import { SealedTickets } from './sealed-tickets.ts'

const tenant = { accountId: 'acct_1', mode: 'test' } as VaultTenant // its form is enough
const facts = {
  tenant,
  ticket: 'ticket_1',
  intent: 'pi_1',
  host: 'shop.example',
  expiresAt: new Date(Date.now() + 500_000),
}
const asked = { ticket: 'ticket_1', cart: 'cart_1', origin: 'https://shop.example' }
const secret = { username: 'ada', password: 'pässword', code: null }
const minute = 60_000

function openVault() {
  let nowMs = 0
  const tickets = new SealedTickets(() => nowMs)
  return {
    tickets,
    pass: (ms: number) => {
      nowMs += ms
    },
    async sealed(
      what: object = { username: 'ada', password: 'pässword' },
      more: object = {},
      sealedFor = facts,
    ): Promise<SealedTicket> {
      const sealed = await sealTicket(tickets.sealingKey(), sealedFor, what)
      return { ...facts, cart: 'cart_1', ...sealed, ...more }
    },
  }
}

describe('a sealed ticket', () => {
  test('opens once, for its cart and the page of exactly its host', async () => {
    const { tickets, sealed } = openVault()
    expect(tickets.keep(await sealed())).toBe(true)
    expect(await tickets.open({ ...asked, origin: 'https://www.shop.example' })).toEqual({ kind: 'refused' })
    expect(await tickets.open({ ...asked, cart: 'cart_2' })).toEqual({ kind: 'refused' })
    expect(await tickets.open(asked)).toEqual({ kind: 'secret', secret })
    expect(await tickets.open(asked)).toEqual({ kind: 'refused' })
  })

  test('is gone after three wrong questions', async () => {
    const { tickets, sealed } = openVault()
    tickets.keep(await sealed())
    for (const origin of ['http://shop.example', 'https://shop.example:8443', 'https://evil.example'])
      expect(await tickets.open({ ...asked, origin })).toEqual({ kind: 'refused' })
    expect(await tickets.open(asked)).toEqual({ kind: 'refused' })
  })

  test.each([
    ['intent', 'pi_2'],
    ['host', 'evil.example'],
    ['tenant', { ...tenant, mode: 'live' }],
    ['tenant', { ...tenant, accountId: 'acct_2' }],
    ['expiresAt', new Date(facts.expiresAt.getTime() + 1)],
  ])('opens for nothing but what it was sealed for: another %s', async (name, value) => {
    const { tickets, sealed } = openVault()
    const moved = await sealed(undefined, { [name]: value })
    expect(tickets.keep(moved)).toBe(true)
    expect(await tickets.open({ ...asked, origin: `https://${moved.host}` })).toEqual({ kind: 'refused' })
  })

  test('dies with its time, with its key, and with the vault', async () => {
    const first = openVault()
    const early = await first.sealed()
    first.tickets.keep(early)
    first.pass(9 * minute)
    expect(await first.tickets.open(asked)).toEqual({ kind: 'refused' })
    first.pass(21 * minute)
    expect(first.tickets.keep({ ...early, ticket: 'ticket_2' })).toBe(false)
    const second = openVault()
    expect(second.tickets.keep(early)).toBe(false)
    second.tickets.keep(await second.sealed())
    second.tickets.close()
    expect(await second.tickets.open(asked)).toEqual({ kind: 'refused' })
  })

  test('is kept for ten minutes at most, and not in place of another', async () => {
    const { tickets, sealed, pass } = openVault()
    const one = await sealed()
    // The same bytes again are of somebody who has not heard the answer.
    expect([tickets.keep(one), tickets.keep(one)]).toEqual([true, true])
    expect(tickets.keep(await sealed())).toBe(false)
    const at = (ticket: string, ms: number) => {
      const expiresAt = new Date(Date.now() + ms)
      return sealed(undefined, { ticket, expiresAt }, { ...facts, ticket, expiresAt })
    }
    expect(tickets.keep(await at('ticket_0', -1))).toBe(false)
    for (const ticket of ['ticket_2', 'ticket_3'])
      expect(tickets.keep(await at(ticket, 30 * minute))).toBe(true)
    pass(10 * minute - 1)
    expect(await tickets.open({ ...asked, ticket: 'ticket_2' })).toMatchObject({ kind: 'secret' })
    pass(1)
    expect(await tickets.open({ ...asked, ticket: 'ticket_3' })).toEqual({ kind: 'refused' })
  })

  test.each([[['ada']], [{ username: 7 }], [{ password: 'x'.repeat(1_001) }], [{ code: '' }]])(
    'that says %j says nothing',
    async (what) => {
      const { tickets, sealed } = openVault()
      tickets.keep(await sealed(what))
      expect(await tickets.open(asked)).toEqual({ kind: 'refused' })
    },
  )

  test('is sealed to a key that is replaced every ten minutes', () => {
    const { tickets, pass } = openVault()
    const first = tickets.sealingKey()
    pass(10 * minute - 1)
    expect(tickets.sealingKey()).toEqual(first)
    pass(1)
    expect(tickets.sealingKey()).not.toEqual(first)
  })
})
