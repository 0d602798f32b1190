import Type from 'typebox'
import type { CallContext } from '../../../../contract/context.ts'
import { defineOperation, reply } from '../../../../contract/operation.ts'
import { Problem } from '../../../../contract/problem.ts'
import { Closed, IdParam } from '../../../../contract/schemas.ts'
import { readIntentWithCarts } from '../change-intent.ts'
import { confirmingCart } from '../decide/payment-action.ts'
import { type LoadedIntent, PurchaseIntent } from '../intent.ts'
import type { ApprovalPages } from './approval-pages.ts'
import { awaitChange, waitSecondsMax } from './await-change.ts'
import { renderIntent } from './render-intent.ts'

export function getPurchaseIntent(pages: ApprovalPages) {
  return defineOperation({
    id: 'v1_get_purchase_intent',
    method: 'GET',
    path: '/v1/purchase_intents/{purchase_intent_id}',
    auth: 'secret',
    surfaces: ['v1', 'mcp', 'elements'],
    scope: 'purchase_intents:read',
    forBound: 'served',
    tag: 'Purchase intents',
    summary: 'Read a purchase intent, or wait until it changes',
    description:
      'Shows its status, its carts (one for each shop), what was charged, and `next_action` when a person must do something. ' +
      'Show `summary` to the person. To wait instead of asking again and again, send `wait_seconds`, and the last `sequence` you ' +
      'saw as `after_sequence`: the answer comes when the purchase changes, has ended, or the time is over. It also waits while a ' +
      'person decides. Repeat until `status` is succeeded, failed, cancelled or declined.',
    params: Closed({ purchase_intent_id: IdParam('The purchase intent.', 'pi') }),
    query: Closed({
      wait_seconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: waitSecondsMax,
          default: 0,
          description: 'How many seconds to wait for a change at most. 0 answers at once.',
          examples: [waitSecondsMax],
        }),
      ),
      after_sequence: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 2_147_483_647,
          description:
            'The `sequence` that you have seen: the wait ends at once when the purchase is past it. Left out, it waits for the next change, ' +
            'and answers at once when a person is needed.',
          examples: [2],
        }),
      ),
    }),
    responses: { 200: PurchaseIntent },
    problems: ['not_found'],
    async handle(ctx, { path, query }) {
      const { purchase_intent_id: id } = path
      const seconds = query.wait_seconds ?? 0
      const loaded =
        seconds === 0
          ? await readIntentWithCarts(ctx, id)
          : await awaitChange(ctx, { id, seconds, afterSequence: query.after_sequence ?? null })
      if (!loaded) throw new Problem('not_found', { param: 'purchase_intent_id' })
      return reply(200, await withPage(ctx, pages, loaded))
    },
  })
}

/** Shown to whoever could make such a link: who may only read purchases could decline one with it. */
async function withPage(
  ctx: CallContext,
  pages: ApprovalPages,
  loaded: LoadedIntent,
): Promise<PurchaseIntent> {
  const shown = renderIntent(loaded.intent, loaded.carts, ctx.tenant)
  const { next_action: action } = shown
  // guard links-of-writers: a component in anybody's page, and a key that only reads, get no link with which to decline
  const mayHaveLinks = ctx.component === null && ctx.scopes.has('purchase_intents:write')
  // The page on which a payment is confirmed is its bank's.
  if (confirmingCart(loaded.intent) !== null) return shown
  if (action === null || shown.status !== 'awaiting_approval' || !mayHaveLinks) return shown
  const url = await pages.addressOf(ctx, loaded.intent)
  return url === null ? shown : { ...shown, next_action: { ...action, url } }
}
