import type { CallContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import { selectCardSetup, useCardSetup } from './card-setups.sql.ts'
import { CardKeepers, type KeptCard } from './port.ts'

const callMs = 4_000

/** The form of what names a card that a person has entered at a rail. */
export function isSetup(token: string): boolean {
  return /^cset_[0-9a-z]{26}$/.test(token)
}

/**
 * The card of a setup, as the rail says it now, with the rail's name. What the page said of it counts for nothing. Throws where there is no
 * such setup, or its person is not through with it.
 */
export async function readKeptCard(
  ctx: CallContext,
  { profileId, setup }: { profileId: string; setup: string },
): Promise<KeptCard & { readonly rail: string }> {
  const { accountId: account_id, mode } = ctx.tenant
  const row = await ctx.reads.maybe(selectCardSetup({ account_id, mode, profile_id: profileId, id: setup }))
  const keeper = ctx.port(CardKeepers)
  if (row === null || row.rail !== keeper.rail)
    throw new Problem('not_found', { param: 'card.vault_token_id' })
  const said = await keeper.read(row.reference, { mode, timeoutMs: callMs })
  switch (said.kind) {
    case 'away':
      throw new Problem('unavailable', { headers: { 'retry-after': '1' } })
    case 'open':
      throw new Problem('card_not_entered')
    case 'kept':
      // A rail that names another customer's card charges nobody.
      if (said.card.customer !== row.customer)
        throw new Problem('not_found', { param: 'card.vault_token_id' })
      return { ...said.card, rail: row.rail }
    default:
      return said satisfies never
  }
}

/** Once, and for one payment method. */
export async function useSetup(
  ctx: CallContext,
  { profileId, setup }: { profileId: string; setup: string },
): Promise<void> {
  const { accountId: account_id, mode } = ctx.tenant
  const of = { account_id, mode, profile_id: profileId, id: setup }
  const used = await ctx.tx.maybe(useCardSetup({ ...of, now: ctx.now }))
  if (used === null) throw new Problem('not_found', { param: 'card.vault_token_id' })
}
