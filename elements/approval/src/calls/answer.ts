import { call, type Fetch, type Outcome } from '../../../frame/src/calls/call.ts'
import type { OpenedPage } from './opened-page.ts'
import type { ShownProof } from './proof.ts'
import { type Purchase, purchaseOf } from './purchase.ts'
import type { SavedCard } from './saved-card.ts'

/** What the person says: yes with a card and a proof, or no. */
export type Answer = { readonly card: SavedCard; readonly proof: ShownProof } | null

export async function sendAnswer(
  fetch: Fetch,
  { session, purchase }: OpenedPage,
  { answer, idempotencyKey }: { answer: Answer; idempotencyKey: string },
): Promise<Outcome<Purchase>> {
  const body =
    answer === null
      ? { approve: false }
      : {
          approve: true,
          // What the person has seen.
          max_allowed_amount: purchase.cap,
          profile_payment_method_id: answer.card.id,
          [answer.proof.field]: answer.proof.value,
        }
  const url = '/elements/v1/purchase_intent/approve'
  const said = await call(fetch, { url, session, idempotencyKey, body })
  return said.kind === 'done' ? { kind: 'done', value: purchaseOf(said.value) } : said
}
