import type { CartRow } from '../cart.ts'
import { type StageColumns, stageOf } from '../cart-stage.ts'
import { oneTimeCode } from './input-field.ts'
import type { NextAction } from './next-action.ts'

type WaitingCart = StageColumns & Pick<CartRow, 'id' | 'status' | 'merchant_domain'>

/** What a person does for a cart that waits at a sign-in: sign in there, or pass on the code that the merchant has sent. */
export function signInAction(cart: WaitingCart): NextAction {
  const { id, merchant_domain } = cart
  const wait = stageOf(cart)
  if (wait.kind !== 'sign_in') throw new Error(`the cart ${id} waits for no sign-in`)
  const where = {
    cart_id: id,
    merchant_domain: wait.host ?? merchant_domain,
    element: 'MerchantAuthHandoff',
  }
  return wait.code === null
    ? { type: 'merchant_sign_in', ...where, expires_at: wait.until.toISOString() }
    : {
        type: 'provide_input',
        fields: [oneTimeCode(where.merchant_domain)],
        ...where,
        expires_at: wait.code.until.toISOString(),
      }
}

/** Another cart that a person has to sign in for; a person is asked about one at a time. */
export function nextSignIn<Row extends WaitingCart>(carts: readonly Row[], besides: string): Row | null {
  return carts.find(({ id, status }) => id !== besides && status === 'awaiting_merchant_auth') ?? null
}
