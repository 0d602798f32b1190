import type { ActingContext } from '../../../contract/context.ts'
import type { RateName } from '../../../contract/limits.ts'
import { subjectOf, takeRates } from '../../../platform/limits/rates.ts'

/** Rates of manual operations that send something: how often in an hour for all destinations of an account and mode, and for each. */
const rates = {
  test: { account: 'accountTests', destination: 'destinationTests' },
  recover: { account: 'accountRecoveries', destination: 'destinationRecoveries' },
  redeliver: { account: 'accountRedeliveries', destination: 'destinationRedeliveries' },
} as const satisfies Record<string, Record<'account' | 'destination', RateName>>

export async function takeDestinationRate(
  ctx: Pick<ActingContext, 'tenant' | 'now' | 'settings' | 'tx'>,
  act: keyof typeof rates,
  destinationId: string,
): Promise<void> {
  const { account, destination } = rates[act]
  await takeRates(ctx, [
    { limit: account, subject: subjectOf(ctx.tenant) },
    { limit: destination, subject: subjectOf(ctx.tenant, destinationId) },
  ])
}
