import Type, { type Static } from 'typebox'
import { At, Closed, Named, Nullable, OneOf } from '../../../contract/schemas.ts'

export const channels = ['native', 'ucp', 'mpp', 'browser', 'simulated'] as const

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

/** In the order in which people read it: a column of JSON has an order of its own. */
export function renderRoute({ site, candidates, chosen, excluded }: CartRoute): CartRoute {
  return {
    site,
    candidates: candidates.map(({ channel, why, evidence_at }) => ({ channel, why, evidence_at })),
    chosen,
    excluded: excluded.map(({ channel, why }) => ({ channel, why })),
  }
}
