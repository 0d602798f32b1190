import type {
  Call,
  HoldAnswer,
  PaymentRail,
  RailAnswer,
  RailDeclaration,
} from '../../domain/buying/rails/port.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import type { VaultClient } from '../../platform/vault-client/vault-client.ts'
import { askKey, closeKey } from './close-key.ts'
import { fetchNumber, isCard, issueCard } from './issue-card.ts'
import { movementsOf } from './movements.ts'
import { answerOf, pageOf, readingOf } from './processor-answers.ts'
import {
  authorizeCall,
  type Change,
  captureCall,
  chargeCall,
  issueCall,
  openProcessor,
  pathOf,
  refundCall,
  releaseCall,
} from './processor-calls.ts'

/** `railUrl` null: this process buys nothing in test mode. `vault` null: its rail issues no numbers of cards. */
export const sandboxRail: RailDeclaration<{
  railUrl: string | null
  egress: Egress
  vault?: VaultClient | null
}> = {
  name: 'sandbox',
  modes: ['test'],
  issues: ['token', 'challenge', 'card'],
  open: ({ railUrl, egress, vault = null }) =>
    railUrl === null ? null : createSandboxRail({ url: railUrl, egress, vault }),
}

const noVault: RailAnswer = { kind: 'not_sent', retryable: false }

/** The payment processor of test mode, a process of its own. It moves no money. */
export function createSandboxRail(options: {
  url: string
  egress: Egress
  vault?: VaultClient | null
}): PaymentRail {
  const { url, vault = null } = options
  const processor = openProcessor(options)

  async function hold(made: Change, call: Call): Promise<HoldAnswer> {
    return answerOf(await processor.post(made, call))
  }

  /** Nobody is asked about what is held already. */
  async function change(made: Change, call: Call): Promise<RailAnswer> {
    const answer = await hold(made, call)
    return answer.kind === 'needs_person' ? { kind: 'unknown' } : answer
  }

  return {
    authorize: (input, call) => hold(authorizeCall(input), call),
    async issueCredential(input, call) {
      if (!isCard(input)) return await hold(issueCall(input), call)
      return vault === null ? noVault : await issueCard({ url, vault }, input, call)
    },
    chargeCredential: (input, call) => change(chargeCall(input), call),
    capture: (input, call) => change(captureCall(input), call),
    void: (input, call) => change(releaseCall('authorization', input), call),
    revoke: (input, call) => change(releaseCall('credential', input), call),
    refund: (input, call) => change(refundCall(input), call),
    get: async (kind, reference, call) => readingOf(await processor.get(pathOf(kind, reference), call)),
    async ask(key, call, sent) {
      const known = await askKey(processor, key, call)
      const issued = sent?.step === 'issue_credential' && isCard(sent.input) ? sent.input : null
      if (known.kind !== 'done' || issued === null || vault === null) return known
      return await fetchNumber({ url, vault }, issued, known.value, call)
    },
    close: (sent, call) => closeKey(processor, sent, call),
    async list({ since, until, page }, call) {
      const query = new URLSearchParams({ until: until.toISOString() })
      if (since !== null) query.set('since', since.toISOString())
      if (page !== null) query.set('page', page)
      return pageOf(await processor.get(`/v1/holds?${query}`, call))
    },
    async listMovements(after, call) {
      const query = new URLSearchParams({ after: after ?? '0' })
      return movementsOf(await processor.get(`/v1/card_movements?${query}`, call))
    },
  }
}
