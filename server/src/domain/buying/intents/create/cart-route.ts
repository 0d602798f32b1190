import Type, { type Static } from 'typebox'
import { At, Closed, Named, Nullable, OneOf } from '../../../../contract/schemas.ts'
import { registryChannels } from '../../../discovery/registry/public.ts'

export const channels = ['native', ...registryChannels, 'simulated'] as const

const Channel = OneOf(channels, { description: 'A way of buying.' })

export const CartRoute = Named(
  'CartRoute',
  Closed(
    {
      site: Type.String({ description: 'The origin of the shop.' }),
      candidates: Type.Array(
        Closed({
          channel: Channel,
          why: Type.String({ description: 'How it is known, in a sentence.' }),
          evidence_at: Nullable(At('When that was last seen to be so.')),
        }),
        { description: 'The ways in which the shop can be bought from, the best first.' },
      ),
      chosen: Nullable(OneOf(channels, { description: 'The way that is taken; null: there is none.' })),
      excluded: Type.Array(
        Closed({
          channel: Channel,
          why: Type.String({ description: 'Why it was given up, in a sentence.' }),
        }),
        { description: 'The ways that did not work.' },
      ),
    },
    { description: 'How a cart can be bought at a shop that has no account here, and which way was chosen.' },
  ),
)
export type CartRoute = Static<typeof CartRoute>

/** A page of the shop that holds the goods of a cart already, which was begun in another way. */
export type CartPage = {
  readonly url: string
  /** What the shop calls the goods, by the id of the item. */
  readonly titles: Readonly<Record<string, string>>
  /** What the shop said of the buyer's code, where it was given to it. */
  readonly promo: { readonly isTaken: boolean; readonly message: string | null } | null
  /** How the shop's own messages about the order will name it. */
  readonly toldAs: { readonly sender: string; readonly checkout: string } | null
}

/** As the row keeps it. `page`: where one attempt goes on; it is shown to nobody, because whoever has its address has the cart. */
export type KeptRoute = Omit<CartRoute, 'excluded'> & {
  /** `isOfPayment`: only because of what the buyer pays with. */
  readonly excluded: readonly (CartRoute['excluded'][number] & { readonly isOfPayment?: boolean })[]
  readonly page?: CartPage & { readonly attempt: number }
}

/** In the order in which people read it: a column of JSON has an order of its own. */
export function renderRoute({ site, candidates, chosen, excluded }: KeptRoute): CartRoute {
  return {
    site,
    candidates: candidates.map(({ channel, why, evidence_at }) => ({ channel, why, evidence_at })),
    chosen,
    excluded: excluded.map(({ channel, why }) => ({ channel, why })),
  }
}
