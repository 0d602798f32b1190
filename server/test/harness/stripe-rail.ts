import { randomUUID } from 'node:crypto'
import type { RailCharge, RailCredential, SentCall } from '../../src/domain/buying/rails/port.ts'
import { createEgress } from '../../src/platform/egress/egress.ts'
import { Secret } from '../../src/platform/secrets/secret.ts'
import { createStripeRail } from '../../src/rails/stripe/stripe.ts'
import { call } from '../conformance/payment-rail/rail-under-test.ts'
import { openNumberReader } from './number-reader.ts'
import { startSandbox } from './sandbox.ts'
import { stripeSimulator, stripeTestKey } from './stripe.ts'

/** The rail of shared payment tokens before a simulator of its own, whose search is not late unless a test wants it. */
export async function openStripeRail() {
  const sandbox = await startSandbox()
  const stripe = stripeSimulator(sandbox)
  await stripe.searchDelay(0)
  const egress = createEgress({ allowLoopback: () => false, trustedOrigins: [stripe.url] })
  const reader = openNumberReader(stripeTestKey)
  const rail = createStripeRail({
    url: stripe.url,
    secretKey: new Secret(stripeTestKey),
    egress,
    publicUrl: 'https://api.example.com',
    cardholder: 'ich_sandbox',
    vault: reader,
  })

  /** A charge of 7 dollars by a token of its own, as a sale makes it, asks for it and closes it. */
  async function charge(more: Partial<RailCharge> = {}) {
    const key = randomUUID()
    const input: RailCharge = {
      key,
      credential: more.credential ?? (await stripe.grant()),
      amount: 700n,
      currency: 'USD',
      merchant: 'shop.example',
      reference: `test ${key}`,
      ...more,
    }
    const sent = { step: 'charge_credential', input } as const satisfies SentCall
    return {
      key: input.key,
      input,
      sent,
      send: () => rail.chargeCredential(input, call),
      ask: () => rail.ask(input.key, call, sent),
      close: () => rail.close(sent, call),
      money: () => stripe.moneyOf(input.key),
    }
  }

  /** A card of 10 dollars at most, as a cart asks for it and closes it. */
  function card(more: Partial<RailCredential> = {}) {
    const key = randomUUID()
    const input: RailCredential = {
      key,
      card: { testCard: null, vaultToken: 'none' },
      limit: 1_000n,
      currency: 'USD',
      merchant: 'shop.example',
      reference: `test ${key}`,
      expiresAt: new Date(Date.now() + 86_400_000),
      vaultOf: `acct_${'0'.repeat(26)}`,
      ...more,
    }
    const sent = { step: 'issue_credential', input } as const satisfies SentCall
    return {
      key: input.key,
      input,
      sent,
      send: () => rail.issueCredential(input, call),
      ask: () => rail.ask(input.key, call, sent),
      close: () => rail.close(sent, call),
    }
  }

  return {
    stripe,
    rail,
    charge,
    card,
    reader,
    async reset() {
      await stripe.clearFaults()
      await stripe.searchDelay(0)
    },
    async stop() {
      await egress.close()
      await sandbox.stop()
    },
  }
}
