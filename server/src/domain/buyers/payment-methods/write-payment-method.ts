import type { CallContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import { lockProfileOwner } from '../profiles/public.ts'
import type { paymentMethodEvents } from './events.ts'
import { type PaymentMethod, type PaymentMethodRow, renderPaymentMethod } from './payment-method.ts'
import { lockPaymentMethods, updatePaymentMethodRow } from './payment-methods.sql.ts'

/** A profile and its payment methods, locked for a change. The profile comes first, everywhere. */
export async function lockMethodsOf(ctx: CallContext, profileId: string) {
  const key = { account_id: ctx.tenant.accountId, mode: ctx.tenant.mode, profile_id: profileId }
  const owner = await lockProfileOwner(ctx, profileId)
  if (!owner) throw new Problem('not_found', { param: 'profile_id' })
  return { owner, methods: await ctx.tx.rows(lockPaymentMethods(key)) }
}

export function findMethod(methods: readonly PaymentMethodRow[], id: string): PaymentMethodRow {
  const row = methods.find((method) => method.id === id)
  if (!row) throw new Problem('not_found', { param: 'payment_method_id' })
  return row
}

/** Queues a change of one locked method with its event; returns the method as it is then. */
export function writeMethod(
  ctx: CallContext,
  row: PaymentMethodRow,
  type: keyof typeof paymentMethodEvents,
  changes: Partial<PaymentMethodRow>,
): PaymentMethod {
  const changed = { ...row, ...changes, seq: row.seq + 1, updated_at: ctx.now }
  const method = renderPaymentMethod(changed, ctx.tenant)
  const { accountId, mode } = ctx.tenant
  ctx.tx.write(updatePaymentMethodRow({ ...changed, account_id: accountId, mode }))
  ctx.tx.emit({ type, aggregateId: row.id, sequence: changed.seq, object: method })
  return method
}

/** Takes the default away from whichever method has it, so that another one can become it. */
export function clearDefault(
  ctx: CallContext,
  methods: readonly PaymentMethodRow[],
  except: string | null,
): void {
  for (const method of methods) {
    if (method.is_default && method.id !== except)
      writeMethod(ctx, method, 'payment_method.updated', { is_default: false })
  }
}
