import Type, { type Static } from 'typebox'
import { Closed, Named, Nullable, OneOf } from '../../../../contract/schemas.ts'

// Letters, digits and signs of most scripts. Left out: controls, U+2000 to U+3000 with its marks of direction, and emoji.
const seen = '!-~\\u00a1-\\u1fff\\u3001-\\ud7ff\\uff01-\\uff5e'

/** A code as a request names it. */
export const PromoCode = Type.String({
  minLength: 1,
  maxLength: 64,
  noCardNumber: true,
  pattern: `^ *[${seen}][ ${seen}]*$`,
  description: 'A promotion code. Each shop that takes codes tries it once. Not with `quote_id`.',
})

const promoStatuses = ['applied', 'refused', 'not_tried'] as const

export const CartPromo = Named(
  'CartPromoCode',
  Closed(
    {
      code: Type.String({ description: 'The code, as the purchase names it.' }),
      status: OneOf(promoStatuses, {
        description:
          '`applied`: the price of the offer counts it. `refused`: the shop did not take it, and sells without it. `not_tried`: nothing was asked yet, or the code could not be given to the shop.',
      }),
      message: Nullable(
        Type.String({
          description: 'What the shop said of it, or why it was not tried; null if there is nothing to say.',
        }),
      ),
    },
    { description: 'What became of the promotion code at one shop.' },
  ),
)
export type CartPromo = Static<typeof CartPromo>

/** The code of a request, without the spaces around it. */
export function promoCodeOf(preferences: { readonly promo_code?: string } | undefined): string | null {
  return preferences?.promo_code?.trim() ?? null
}

/** Before its shop is asked. */
export function untriedPromo(code: string | null): CartPromo | null {
  return code === null ? null : { code, status: 'not_tried', message: null }
}

const messageMax = 255

/** What a shop said of the code with its price; null: the code was not given to it. */
export function decidedPromo(
  code: string | null,
  said: { readonly isTaken: boolean; readonly message: string | null } | null,
): CartPromo | null {
  if (code === null) return null
  if (said === null) return { code, status: 'not_tried', message: 'The code could not be given to the shop.' }
  const { isTaken, message } = said
  return { code, status: isTaken ? 'applied' : 'refused', message: message === null ? null : lineOf(message) }
}

/** A shop's words may be anything, and a cart must be kept whatever they are. */
function lineOf(message: string): string | null {
  const line = message.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
  return line.slice(0, messageMax).toWellFormed() || null
}

/** In the order in which people read it: a column of JSON has an order of its own. */
export function renderPromo({ code, status, message }: CartPromo): CartPromo {
  return { code, status, message }
}
