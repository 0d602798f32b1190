import Type, { type Static } from 'typebox'

const Payment = Type.Object(
  {
    /** The id that the challenge gave to what is paid: paying for it again finds it. */
    id: Type.String(),
    challenge_id: Type.String(),
    expires_at: Type.String(),
    /** In minor units, as the challenge asked for it. */
    amount: Type.Integer(),
    currency: Type.String(),
    method: Type.Union([Type.Literal('vault'), Type.Literal('stripe')]),
    /** What pays, by the method: a secret. */
    token: Type.String(),
  },
  { additionalProperties: false },
)

const MppCall = Type.Object(
  {
    /** How the caller names itself; null: it does not. */
    source: Type.Union([Type.String(), Type.Null()]),
    /** An answer to a challenge of ours; null: the call pays nothing. */
    payment: Type.Union([Payment, Type.Null()]),
  },
  { additionalProperties: false },
)

/** Who calls an operation of MPP, and what it pays with: the surface says it to handlers, and no caller can. */
export type MppCall = Static<typeof MppCall>

/** The headers of an operation whose answer depends on that. */
export const MppHeaders = Type.Object({ mpp_call: MppCall }, { additionalProperties: false })
