import { expect, test } from 'vitest'
import { issuingTokens } from './issuing-tokens.ts'
import type { Call, PaymentRail, SentCall } from './port.ts'

const call: Call = { mode: 'live', timeoutMs: 1_000 }

/** Answers with its own name whatever it is asked. */
function named(name: string): PaymentRail {
  const said = async () => ({ kind: 'refused', refusal: { code: name, declineCode: null } }) as const
  const get = async () =>
    ({ kind: 'not_now', reason: 'busy', retryAfterSeconds: name === 'rail' ? 1 : 2 }) as const
  return {
    authorize: said,
    issueCredential: said,
    chargeCredential: said,
    capture: said,
    void: said,
    revoke: said,
    refund: said,
    get,
    ask: said,
    close: said,
  }
}

const rail = issuingTokens(named('rail'), named('issuer'))
const whoSaid = async (answer: Promise<object>) => (await answer) as { refusal?: { code: string } }
const credential = {
  key: 'cart:1:issue_credential',
  card: { testCard: null, vaultToken: 'kept' },
  limit: 700n,
  currency: 'USD',
  merchant: 'shop.example',
  reference: 'pi_1/cart_1',
  expiresAt: new Date(0),
}
const revoke = (reference: string): SentCall => ({
  step: 'revoke',
  input: { key: 'cart:1:revoke', reference },
})

test('what is asked about a token is asked of its issuer, and all else of the rail', async () => {
  const asked = async (sent: SentCall) => (await whoSaid(rail.ask('key', call, sent))).refusal?.code
  expect(await asked(revoke('spt_1'))).toBe('issuer')
  expect(await asked(revoke('ic_1'))).toBe('rail')
  expect(await asked({ step: 'issue_credential', input: { ...credential, seller: 'profile_1' } })).toBe(
    'issuer',
  )
  expect(await asked({ step: 'issue_credential', input: credential })).toBe('rail')
  const closed = await whoSaid(
    rail.close({ step: 'issue_credential', input: { ...credential, seller: 'profile_1' } }, call),
  )
  expect(closed.refusal?.code).toBe('issuer')
  expect(await rail.get('credential', 'spt_1', call)).toMatchObject({ retryAfterSeconds: 2 })
  expect(await rail.get('credential', 'ic_1', call)).toMatchObject({ retryAfterSeconds: 1 })
})

test('a process without the issuer leaves tokens to another one', async () => {
  const alone = issuingTokens(named('rail'), null)
  expect(await alone.ask('key', call, revoke('spt_1'))).toMatchObject({
    kind: 'not_now',
    reason: 'misrouted',
  })
})
