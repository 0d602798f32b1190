import { elementHash } from '../../../platform/doors/element-door.ts'
import type { PaymentProofs } from '../intents/public.ts'
import { readAssertion } from './assertion.ts'
import { insertUsedCode, selectProof, updateVerification } from './verifications.sql.ts'

/** The proofs that components pass on, used up by approvals. */
export const paymentProofs: PaymentProofs = {
  async use(ctx, { token, intentId }) {
    const { accountId: account_id, mode } = ctx.tenant
    const id = readAssertion(ctx.sealer, token)
    const row = id === null ? null : await ctx.tx.maybe(selectProof({ account_id, mode, id }))
    if (row === null || row.status !== 'proven') return { kind: 'none' }
    const { method, amount } = row
    // guard proofs-of-their-purchase: what was proven for one purchase approves no other
    if (row.purchase_intent_id !== intentId) return { kind: 'wrong_intent' }
    // guard proofs-are-used-once: what was proven once approves one purchase, once
    if (row.used_at !== null) return { kind: 'used' }
    // guard proofs-in-time: a proof that nobody used in time is none
    if (row.expires_at <= ctx.now || amount === null || method === 'none' || method === 'cvc')
      return { kind: 'none' }
    ctx.tx.write(updateVerification({ account_id, mode, ...row, used_at: ctx.now, updated_at: ctx.now }))
    return { kind: 'proven', method, paymentMethodId: row.payment_method_id, amount }
  },
  async useCode(ctx, { token, intentId }) {
    const { accountId: account_id, mode } = ctx.tenant
    const code = { hash: elementHash(token), purchase_intent_id: intentId, used_at: ctx.now }
    return (await ctx.tx.rows(insertUsedCode({ account_id, mode, ...code }))).length > 0
  },
}
