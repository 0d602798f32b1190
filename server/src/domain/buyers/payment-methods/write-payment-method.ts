import type { CallContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import { writesOf } from '../../../platform/aggregate/changes.ts'
import { lockProfileOwner } from '../profiles/public.ts'
import type { paymentMethodEvents } from './events.ts'
import { type PaymentMethodRow, renderPaymentMethod } from './payment-method.ts'
import { insertPaymentMethod, lockPaymentMethods, updatePaymentMethodRow } from './payment-methods.sql.ts'

/** The most payment methods a profile holds. */
export const methodsMax = 50

/** A profile and its payment methods, locked for a change. The profile is locked first, everywhere. */
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

/** `write` queues a change of one locked method with its event. */
export const { add: addMethod, write: writeMethod } = writesOf<
  PaymentMethodRow,
  keyof typeof paymentMethodEvents
>({
  insert: insertPaymentMethod,
  update: updatePaymentMethodRow,
  render: (row, { tenant }) => renderPaymentMethod(row, tenant),
})

/** Takes the default away from the method that has it, so that another one can become it. */
export function clearDefault(
  ctx: CallContext,
  methods: readonly PaymentMethodRow[],
  except: string | null,
): void {
  for (const method of methods) {
    if (method.is_default && method.id !== except)
      writeMethod(ctx, method, { is_default: false }, 'payment_method.updated')
  }
}
