import type { CartRow } from '../cart.ts'
import type { IntentRow } from '../intent.ts'
import { shownField } from './input-field.ts'
import type { NextAction } from './next-action.ts'

type AskingCart = Pick<CartRow, 'id' | 'status' | 'question'>

/**
 * What a purchase waits to be told while its carts run: the question of the first cart that has one. A person is asked about one cart at a
 * time; the others of them run on.
 */
export function inputAction(carts: readonly AskingCart[]): NextAction | null {
  const asking = carts.find(({ status, question }) => status === 'in_progress' && question !== null)
  if (!asking?.question) return null
  const { fields, until } = asking.question
  return {
    type: 'provide_input',
    fields: fields.map(shownField),
    cart_id: asking.id,
    element: null,
    expires_at: until,
  }
}

/** Whether carts of a purchase run, so that their questions are what it waits for. */
export function areCartsRunning({ status }: Pick<IntentRow, 'status'>): boolean {
  return status === 'approved' || status === 'queued'
}
