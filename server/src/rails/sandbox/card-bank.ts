import type { AskedBank, BankAnswer, CardBank } from '../../domain/buying/verifications/port.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import { openProcessor } from './processor-calls.ts'

/** The banks of test cards, which are the sandbox's. They ask nobody about any other card. */
export function createSandboxBank(options: { url: string; egress: Egress }): CardBank {
  const processor = openProcessor(options)
  return {
    async ask({ key, testCard, purpose, amount, currency, shops, returnUrl }, call) {
      if (call.mode !== 'test') return { kind: 'away' }
      const terms = { amount: amount === null ? null : Number(amount), currency, shops }
      const body = { card: testCard ?? 'unknown', purpose, ...terms, return_url: returnUrl }
      const said = await processor.post({ path: '/v1/challenges', key, body }, call)
      return said.kind === 'answer' ? askedOf(said.body) : { kind: 'away' }
    },
    async answerTo(reference, call) {
      if (call.mode !== 'test') return 'away'
      const said = await processor.get(`/v1/challenges/${encodeURIComponent(reference)}`, call)
      return (said.kind === 'answer' && answerOf(said.body.status)) || 'away'
    },
  }
}

function askedOf({ id, url, status }: Readonly<Record<string, unknown>>): AskedBank {
  const answer = answerOf(status)
  if (typeof id !== 'string' || typeof url !== 'string' || answer === null) return { kind: 'away' }
  return { kind: 'asked', reference: id, url, answer }
}

function answerOf(status: unknown): BankAnswer | null {
  return status === 'pending' || status === 'confirmed' || status === 'refused' ? status : null
}
