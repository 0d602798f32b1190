import Type from 'typebox'
import type { Reads } from '../../../contract/context.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { invalid, Problem } from '../../../contract/problem.ts'
import { Closed, Described, Nullable, Text } from '../../../contract/schemas.ts'
import { next } from '../../../core/state-table.ts'
import { normalizeCurrency } from '../../../schema/formats.ts'
import { Ruled } from '../../../schema/rules.ts'
import { Inputs, inputsMax } from '../../selling/catalog/public.ts'
import { readMerchant } from '../../selling/merchant/public.ts'
import { quoteTable } from './machine.ts'
import { PriceProposal, Quote, QuoteParams, type QuoteRow } from './quote.ts'
import { awaitedReply, currentReply, quoteHeaders, waitingAnswers, waitingHeaders } from './quote-reply.ts'
import { lockQuote, selectQuote } from './quotes.sql.ts'
import { askMerchant } from './request-quote.ts'
import { findTarget, resolveTarget, type Target, targetColumns } from './resolve-target.ts'

const tooMany = `together with the inputs that you sent before, these are more than ${inputsMax} inputs`

export const refreshQuote = defineOperation({
  id: 'v1_refresh_quote',
  method: 'POST',
  path: '/v1/quotes/{quote_id}/refresh',
  auth: 'secret',
  scope: 'quotes:write',
  forBound: 'served',
  tag: 'Quotes',
  summary: 'Refresh a quote',
  description:
    'Asks the merchant again; the offers so far end. Fields you leave out stay as they are; `inputs` are added to those ' +
    'you sent before. Waits up to ten seconds for the merchant, as v1_create_quote does.',
  params: Closed(QuoteParams),
  body: Closed({
    inputs: Type.Optional(
      Ruled(Described(Inputs, 'What the merchant needs to know, by name; added to what you sent before.'), {
        tooMany,
      }),
    ),
    price_proposal: Type.Optional(
      Nullable(Described(PriceProposal, 'A price you would like to pay; null removes it.')),
    ),
    note: Type.Optional(Nullable(Text(2000, { description: 'A note to the merchant; null removes it.' }))),
  }),
  bodyOptional: true,
  examples: {
    inputs: { summary: 'Send what the merchant asked for', body: { inputs: { engraving: 'Ada' } } },
    again: { summary: 'Ask for a new price', body: {} },
  },
  responses: { 200: Quote, 202: Quote, 422: Quote },
  answers: { 200: 'The merchant has answered.', ...waitingAnswers },
  replyHeaders: waitingHeaders,
  problems: [
    'not_found',
    'quote_not_refreshable',
    'merchant_setup_incomplete',
    'responder_not_configured',
    'responder_failed',
  ],
  replay: 'current',
  async handle(ctx, { path, body }) {
    const key = { account_id: ctx.tenant.accountId, mode: ctx.tenant.mode, id: path.quote_id }
    const seen = await ctx.reads.maybe(selectQuote(key))
    if (!seen) throw new Problem('not_found', { param: 'quote_id' })
    assertRefreshable(seen, body.inputs !== undefined)
    // Before the lock: nothing about a target depends on the quote's state.
    const selector = await selectorOf(ctx.reads, seen)
    const found = await findTarget(ctx.reads, seen.mode, selector)
    const target = await resolveTarget(ctx.reads, selector, found)
    assertSameMerchant(target, seen)
    const row = await ctx.tx.maybe(lockQuote(key))
    if (!row) throw new Problem('not_found', { param: 'quote_id' })
    assertRefreshable(row, body.inputs !== undefined)
    const proposal = body.price_proposal
    const renewed: QuoteRow = {
      ...row,
      ...targetColumns(target, row.quantity),
      inputs: withInputs(row.inputs, body.inputs),
      ...(body.note === undefined ? {} : { note: body.note }),
      ...(proposal === undefined
        ? {}
        : { price_proposal: proposal && { ...proposal, currency: normalizeCurrency(proposal.currency) } }),
    }
    const asked = askMerchant(ctx, renewed, target, { isNew: false })
    const headers = quoteHeaders(ctx, asked.quote)
    if (asked.quote.status === 'requires_input') return reply(422, asked.quote, { headers })
    ctx.hold('quoteWaits')
    return reply(202, asked.quote, {
      headers,
      settle: () => awaitedReply(ctx, asked.row, { done: 200, isFresh: true }),
    })
  },
  current: (ctx, quoteId) => currentReply(ctx, quoteId, 200),
})

/** The merchant that the quote asked before is asked again, under its present slug. */
async function selectorOf(reads: Reads, row: QuoteRow) {
  if (row.catalog_variant_id !== null) return { catalog_variant_id: row.catalog_variant_id }
  if (row.catalog_item_id !== null) return { catalog_item_id: row.catalog_item_id }
  const merchant = await readMerchant(reads, { accountId: row.merchant_account_id, mode: row.mode })
  return { merchant_slug: merchant?.slug ?? '' }
}

/** Another merchant may have a slug that was given up, and this quote does not concern it. */
function assertSameMerchant({ merchant }: Target, row: QuoteRow): void {
  if (merchant.account_id !== row.merchant_account_id) throw new Problem('not_found', { param: 'quote_id' })
}

function assertRefreshable({ status }: QuoteRow, hasInputs: boolean): void {
  const isStuck = status === 'requires_input' && !hasInputs
  if (isStuck || next(quoteTable, status, 'refresh') === null) throw new Problem('quote_not_refreshable')
}

/** The inputs from before and the added ones are together at most as many as one request may have. */
function withInputs<Values extends Readonly<Record<string, unknown>>>(
  given: Values,
  added: Values | undefined,
): Values {
  const inputs = { ...given, ...added }
  if (Object.keys(inputs).length > inputsMax) throw invalid(['body', 'inputs'], tooMany)
  return inputs
}
