import { afterAll, beforeAll, expect, test } from 'vitest'
import { testCardNumbers } from '../../src/contract/test-card-numbers.ts'
import { type CardSession, openCardSession } from '../harness/card-sessions.ts'
import { startVaultWorld, type VaultWorld } from '../harness/vault.ts'

let world: VaultWorld
beforeAll(async () => {
  world = await startVaultWorld()
})
afterAll(() => world?.stop())

let addresses = 0
const newAddress = () => `10.9.0.${++addresses}`

type Answered = [number, string | undefined]

async function send(path: string, body: object, session: CardSession, address: string): Promise<Answered> {
  const answer = await fetch(`${world.publicUrl}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${session.token}`,
      'content-type': 'application/json',
      'x-forwarded-for': address,
    },
    body: JSON.stringify(body),
  })
  return [answer.status, JSON.parse(await answer.text()).detail?.code]
}

const card = { exp_month: 1, exp_year: 2030, cardholder_name: null, cvc: null }
const good = testCardNumbers.visa_auto_approved
const enter = (session: CardSession, address: string, number: string = good) =>
  send('/cards', { ...card, number }, session, address)
const refuse = (session: CardSession, address: string) => enter(session, address, '4242424242424241')

const taken: Answered = [201, undefined]
const refused: Answered = [422, 'card_refused']
const stopped: Answered = [403, 'client_secret_required']

test('after three refusals in a row a profile and an address are stopped, whatever card comes next', async () => {
  const [session, address] = [await openCardSession(world), newAddress()]
  expect(await refuse(session, address)).toEqual(refused)
  expect(await send('/cvcs', { cvc: 'abc', card_brand: null }, session, address)).toEqual(refused)
  expect(await enter(session, address, '4111111111111111')).toEqual(refused)
  const next = [
    await enter(session, address),
    await refuse(session, address),
    await send('/cvcs', { cvc: '111', card_brand: null }, session, address),
    // The profile from elsewhere, and another profile from here.
    await enter(session, newAddress()),
    await enter(await openCardSession(world, { profileId: session.profileId }), newAddress()),
    await enter(await openCardSession(world), address),
  ]
  expect(next).toEqual(next.map(() => stopped))
  expect(await enter(await openCardSession(world), newAddress())).toEqual(taken)
  const live = await openCardSession(world, { profileId: session.profileId, mode: 'live' })
  expect(await enter(live, address, '4111111111111111')).toEqual(taken)
})

test('who has a client secret goes on, and so does everybody an hour later', async () => {
  const [session, address] = [await openCardSession(world), newAddress()]
  for (let time = 0; time < 3; time++) await refuse(session, address)
  const known = await openCardSession(world, { profileId: session.profileId, isVouched: true })
  expect(await refuse(known, address)).toEqual(refused)
  expect(await enter(known, address)).toEqual(taken)
  // What was taken with a secret says nothing of the page that has none.
  expect(await enter(session, address)).toEqual(stopped)
  await world.sql(`update card_vault.refusals set expires_at = now() where profile_id = $1`, [
    session.profileId,
  ])
  expect(await enter(session, address)).toEqual(taken)
  // What was counted an hour ago is not counted on.
  expect(await refuse(session, address)).toEqual(refused)
  expect(await refuse(session, address)).toEqual(refused)
  expect(await enter(session, address)).toEqual(taken)
})

test('a card that is taken ends the row of its profile, and takes it from the address', async () => {
  const [session, other, address] = [await openCardSession(world), await openCardSession(world), newAddress()]
  for (let round = 0; round < 3; round++) {
    expect([await refuse(session, address), await refuse(session, address)]).toEqual([refused, refused])
    expect(await enter(session, address)).toEqual(taken)
  }
  expect(await refuse(session, address)).toEqual(refused)
  expect([await refuse(other, address), await refuse(other, address)]).toEqual([refused, refused])
  expect(await enter(other, address)).toEqual(stopped)
})

test('what banks refuse counts here too', async () => {
  const [session, address] = [await openCardSession(world), newAddress()]
  await world.sql(
    `insert into card_refusals values ($1, $2, $3 || ' ' || $4, $3, $4, 2, now() + interval '1 hour')`,
    [session.accountId, session.mode, session.profileId, address],
  )
  expect([await refuse(session, address), await enter(session, address)]).toEqual([refused, stopped])
})

test('of fifty wrong numbers at once three are answered', async () => {
  const [session, address] = [await openCardSession(world), newAddress()]
  const all = await Promise.all(Array.from({ length: 50 }, () => refuse(session, address)))
  expect(all.filter(([status]) => status === 422)).toHaveLength(3)
  expect(all.filter(([status]) => status === 403)).toHaveLength(47)
})

test('a person who approves on a page of ours, which has no client secret, is not stopped', async () => {
  const [session, address] = [await openCardSession(world, { may: ['read', 'approve'] }), newAddress()]
  for (let time = 0; time < 4; time++)
    expect(await send('/cvcs', { cvc: 'abc', card_brand: null }, session, address)).toEqual(refused)
  expect(await send('/cvcs', { cvc: '111', card_brand: null }, session, address)).toEqual(taken)
})
