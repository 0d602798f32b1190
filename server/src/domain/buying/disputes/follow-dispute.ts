import type { RailDispute, ShareAnswer } from '../rails/public.ts'
import type { DisputeRow } from './disputes.sql.ts'

/** What is known of a dispute, and what the merchant's share has followed of it. */
export type Standing = Omit<
  DisputeRow,
  'account_id' | 'mode' | 'id' | 'rail' | 'hold' | 'order_id' | 'merchant_account_id' | 'currency' | 'told'
>

/**
 * A dispute as it was read. What the bank takes is taken back from the merchant that was paid it, and paid to it again when the bank gives
 * it back; a merchant who has never heard of us was paid by others, and that loss is the operator's. One call at a time.
 */
export function afterReading(
  before: Standing,
  read: Pick<RailDispute, 'status' | 'outcome' | 'amount' | 'dueBy' | 'withdrawn'>,
  isOurMerchant: boolean,
): Standing {
  const { status, outcome, amount, dueBy: due_by, withdrawn } = read
  const standing = { ...before, status, outcome, amount, due_by, withdrawn_amount: withdrawn }
  if (before.move !== null) return standing
  const { followed_amount: followed, recovered_amount: recovered } = before
  if (withdrawn > followed)
    return isOurMerchant
      ? moving(standing, 'recover', withdrawn - followed)
      : { ...standing, followed_amount: withdrawn }
  if (withdrawn === followed) return standing
  if (recovered > 0n) return moving(standing, 'pay', recovered)
  return { ...standing, followed_amount: withdrawn, owed_amount: 0n }
}

/** Every call has a key of its own, from before it leaves. */
function moving(standing: Standing, move: 'recover' | 'pay', move_amount: bigint): Standing {
  return { ...standing, move, move_amount, moves: standing.moves + 1 }
}

/** What is not certain is asked and sent again after this long. */
const sendAgainSeconds = 30

/** When the operator's own account, which had too little, is tried again. */
const payAgainSeconds = 3_600

/** What an answer leaves; `retrySeconds` null: nothing is to be done. What is not certain is sent again under the same key. */
export function afterMove(
  before: Standing,
  answer: ShareAnswer,
): { readonly standing: Standing; readonly retrySeconds: number | null } {
  const { move, move_amount: amount } = before
  if (move === null || amount === null) throw new Error('an answer to a call that was not made')
  if (answer.kind !== 'done' && answer.kind !== 'refused')
    return { standing: before, retrySeconds: sendAgainSeconds }
  const over = { ...before, move: null, move_amount: null }
  if (move === 'recover') {
    const followed_amount = before.followed_amount + amount
    // guard what-is-not-recovered-is-owed: a merchant whose account has too little is not forgotten
    return answer.kind === 'refused'
      ? {
          standing: { ...over, followed_amount, owed_amount: before.owed_amount + amount },
          retrySeconds: null,
        }
      : {
          standing: {
            ...over,
            followed_amount,
            recovered_amount: before.recovered_amount + answer.value.moved,
          },
          retrySeconds: null,
        }
  }
  // The operator's own account has too little at the moment. A refusal is final for its key: the next try has another one.
  if (answer.kind === 'refused') return { standing: over, retrySeconds: payAgainSeconds }
  return {
    standing: { ...over, followed_amount: 0n, recovered_amount: 0n, owed_amount: 0n },
    retrySeconds: null,
  }
}
