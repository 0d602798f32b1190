import { type CardProgram, selectProgram } from '../../domain/buying/card-authorizations/card-program.sql.ts'
import { confirmFallback } from '../../domain/buying/card-authorizations/public.ts'
import { railAccount } from '../../domain/buying/disputes/public.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Finding } from '../../rails/stripe/check-account.ts'
import { CommandFailure } from '../failure.ts'
import { administer } from '../operator/administer.ts'
import { readDatabase } from '../operator/read-database.ts'

/** How long the word of an operator about a setting of the Dashboard counts: anybody may change it there. */
const confirmedDays = 90
const dayMs = 86_400_000

const remedy =
  'Look in the Dashboard (Issuing, settings) that authorizations without an answer in time are declined, and then say so: prokura rail check --confirm-fallback decline.'

export function confirmCardFallback(config: Config, operator: string | undefined): Promise<void> {
  return administer(
    config,
    async ({ inTenant, operator: by }) =>
      await inTenant({ accountId: railAccount, mode: 'live' }, async (ctx) => confirmFallback(ctx, by)),
    operator,
  )
}

/** What becomes of charges that nobody has answered in time: Stripe shows it in its Dashboard alone, so an operator says it. */
export async function ofFallback(config: Config): Promise<readonly Finding[]> {
  if ((config.stripe.live?.cardholder ?? null) === null) return []
  try {
    return await readDatabase(config, async ({ pools, clock }) => {
      const [program] = await pools.read(selectProgram({ mode: 'live' }))
      return [aboutFallback(program ?? null, await clock.now())]
    })
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    return [{ what: 'fallback', state: 'unknown', says: 'The database was not read, so it is not known.' }]
  }
}

export function aboutFallback(program: CardProgram | null, now: Date): Finding {
  const what = 'fallback'
  const { confirmed_at: at, confirmed_by: by, stopped_at: stoppedAt, stopped_by: charge } = program ?? none
  if (stoppedAt !== null)
    return {
      what,
      state: 'lacks',
      says: `No card is shown to a shop since ${dayOf(stoppedAt)}: the charge ${charge} was allowed, and nobody here has allowed it. ${remedy}`,
    }
  if (at === null) return { what, state: 'lacks', says: `Nobody has confirmed it yet. ${remedy}` }
  const says = `${by} has confirmed it on ${dayOf(at)}.`
  return now.getTime() - at.getTime() < confirmedDays * dayMs
    ? { what, state: 'ok', says: `${says} It counts for ${confirmedDays} days.` }
    : { what, state: 'lacks', says: `${says} That is too long ago. ${remedy}` }
}

const none: CardProgram = { confirmed_at: null, confirmed_by: null, stopped_at: null, stopped_by: null }

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}
