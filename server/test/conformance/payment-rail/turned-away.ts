import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { PaymentRail, RailCapture } from '../../../src/domain/buying/rails/port.ts'
import { call, done, merchant, type RailCalls } from './rail-under-test.ts'

/** A rail that turns a call away did nothing, and says so. */
export function testTurnedAwayCalls(calls: RailCalls): void {
  const { terms, authorized, issued, authorization } = calls

  test('says "not now" to every call that it turns away, with the requested time, and the key is free', async () => {
    const { rail, turnAway } = calls.under
    const ways = Object.entries(turnAway)
    expect(ways.length).toBeGreaterThan(2)
    for (const [reason, away] of ways) {
      const held = await authorized(700n)
      const { charge } = calls.under
      const [credential, claimed] = charge ? [await issued(700n), await issued(700n)] : []
      const captured = done(
        await rail.capture(
          { key: randomUUID(), reference: (await authorized(700n)).reference, amount: 700n, currency: 'USD' },
          call,
        ),
      )
      const [capture, voided, revoked, refunded] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
      const fresh = terms()
      const expiresAt = new Date(Date.now() + 3_600_000)
      const made: [string, () => Promise<{ kind: string }>][] = [
        ['authorize', () => rail.authorize({ ...fresh, amount: 700n }, call)],
        [
          'issue_credential',
          () => rail.issueCredential({ ...fresh, key: `${fresh.key}:c`, limit: 700n, expiresAt }, call),
        ],
        [
          'charge_credential',
          () =>
            rail.chargeCredential(
              {
                key: `${fresh.key}:a`,
                credential: claimed?.reference ?? '',
                amount: 700n,
                currency: 'USD',
                merchant,
                reference: fresh.reference,
              },
              call,
            ),
        ],
        [
          'capture',
          () =>
            rail.capture({ key: capture, reference: held.reference, amount: 700n, currency: 'USD' }, call),
        ],
        ['void', async () => rail.void({ key: voided, reference: (await authorized(100n)).reference }, call)],
        ['revoke', () => rail.revoke({ key: revoked, reference: credential?.reference ?? '' }, call)],
        [
          'refund',
          () =>
            rail.refund(
              { key: refunded, reference: captured.captureReference ?? '', amount: 700n, currency: 'USD' },
              call,
            ),
        ],
      ]
      const ofCredentials = ['issue_credential', 'charge_credential', 'revoke']
      for (const [operation, make] of made) {
        if (!charge && ofCredentials.includes(operation)) continue
        await away(operation, 30)
        const answer = await make()
        expect([operation, answer]).toEqual([operation, { kind: 'not_now', reason, retryAfterSeconds: 30 }])
        expect([operation, (await make()).kind]).toEqual([operation, 'done'])
      }
    }
  })

  test('says "not now" of a question that is turned away, and never "not found" or "closed"', async () => {
    const { rail, turnAway } = calls.under
    const { reference } = await authorized(700n)
    for (const [reason, away] of Object.entries(turnAway)) {
      const answer = { kind: 'not_now', reason, retryAfterSeconds: null }
      await away('query', null)
      const asked = authorization(700n)
      expect(await rail.ask(asked.key, call, asked.sent)).toEqual(answer)
      await away('query', null)
      expect(await rail.get('authorization', reference, call)).toEqual(answer)
      await away('close', null)
      const { key, sent } = authorization(700n)
      expect(await rail.close(sent, call)).toEqual(answer)
      expect(await rail.ask(key, call, sent)).toEqual({ kind: 'not_found' })
    }
  })

  test('does not treat an unknown object as a refusal', async () => {
    const { rail } = calls.under
    const nothing = { reference: 'nothing_of_that_name', amount: 1n, currency: 'USD' }
    for (const answer of [
      await rail.capture({ key: randomUUID(), ...nothing }, call),
      await rail.void({ key: randomUUID(), ...nothing }, call),
      ...(calls.under.charge ? await unknownCredential(rail, nothing) : []),
      await rail.refund({ key: randomUUID(), ...nothing }, call),
      await rail.get('authorization', nothing.reference, call),
    ])
      expect(answer).toEqual({ kind: 'not_now', reason: 'no_object', retryAfterSeconds: null })
  })
}

function unknownCredential(rail: PaymentRail, { reference, ...money }: Nothing) {
  const charge = { key: randomUUID(), credential: reference, ...money, merchant, reference: 'none' }
  return Promise.all([
    rail.revoke({ key: randomUUID(), reference }, call),
    rail.chargeCredential(charge, call),
  ])
}

type Nothing = Omit<RailCapture, 'key'>
