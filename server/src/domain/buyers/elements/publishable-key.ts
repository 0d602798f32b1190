import Type from 'typebox'
import type { CallContext } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { subjectOf, takeRates } from '../../../platform/limits/rates.ts'

/** The key of the page, which its surface has looked up by the time that an operation runs. */
export const PublishableKey = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'The publishable key of the page.',
})

/** How many addresses it takes to spend what the pages of a key have. */
const addressesOfKey = 10

/** Anybody can copy the key of a page, so what is written with it has a bound, and one address does not spend it for all others. */
export async function takePageRates(ctx: CallContext, keyId: Id<'key'>): Promise<void> {
  const subject = subjectOf(ctx.tenant, keyId)
  await takeRates(ctx, [
    { limit: 'elements', subject: `${subject} ${ctx.address}`, oneIn: addressesOfKey, scope: 'ip' },
    { limit: 'elements', subject },
  ])
}
