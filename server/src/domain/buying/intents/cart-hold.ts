import type { Static } from 'typebox'
import { At, Closed, Named, OneOf } from '../../../contract/schemas.ts'

/** In the order in which they can follow each other. */
export const holdStatuses = [
  'ends_in_24_hours',
  'ends_in_4_hours',
  'released',
  'captured',
  'captured_early',
  'ended',
] as const

export const CartHold = Named(
  'CartHold',
  Closed(
    {
      status: OneOf(holdStatuses, {
        description:
          'What becomes of the money that is held on the card of the buyer: its hold ends in 24 or in 4 hours and the money is still to be captured, or it was released, captured, or captured early, which is before its shop has taken all of it, because the hold was about to end. What the shop does not take goes back to the buyer. Of a hold that has `ended` nothing can be captured any more.',
      }),
      ends_at: At('When the bank of the card lets go of the money.'),
    },
    { description: 'Money that is held for a cart and whose hold is about to end, or has ended.' },
  ),
)
export type CartHold = Static<typeof CartHold>
