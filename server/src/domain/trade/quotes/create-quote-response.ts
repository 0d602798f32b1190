import Type from 'typebox'
import type { CallContext } from '../../../contract/context.ts'
import { defineOperation, type InvalidRequest, reply } from '../../../contract/operation.ts'
import { Problem, ValidationProblem } from '../../../contract/problem.ts'
import { Closed, IdOf, Named } from '../../../contract/schemas.ts'
import {
  answerDigest,
  identifySignedResponse,
  recordBusinessResponse,
  recordRefusedAnswer,
  responseHeaders,
  signedHeaders,
} from '../../webhooks/destinations/public.ts'
import { decideResponse } from './decide-response.ts'
import { QuoteParams, type QuoteRow } from './quote.ts'
import {
  insertAnswer,
  lockMerchantQuote,
  selectAnswer,
  selectAwaitedAnswer,
  selectRequest,
} from './quotes.sql.ts'
import {
  type Answer,
  answeredRules,
  endedOffers,
  QuoteResponseCreate,
  readAnswer,
  SignedQuoteResponse,
} from './response-body.ts'
import { writeQuote } from './write-quote.ts'

const Acknowledgement = Named(
  'QuoteResponseAcknowledgement',
  Closed(
    {
      event_id: IdOf('evt', 'The event that was answered.'),
      event_type: Type.Literal('quote.requested', { description: 'The type of that event.' }),
      target_id: IdOf('quo', 'The quote that was answered.'),
      duplicate: Type.Boolean({ description: 'Whether exactly this answer was taken before.' }),
    },
    { description: 'What was taken as the answer to a quote request.' },
  ),
)

export const createQuoteResponse = defineOperation({
  id: 'v1_create_quote_response',
  method: 'POST',
  path: '/v1/merchant/quotes/{quote_id}/responses',
  auth: 'signed',
  scope: 'merchant_orders:respond',
  tag: 'Merchant quotes',
  summary: 'Answer a quote request',
  description:
    'Sends the price to the buyer, or declines, or asks for inputs. The buyer waits ten seconds; a later answer still ' +
    'counts, up to 15 minutes. A request takes one answer; sending exactly the same answer again counts as a duplicate. A ' +
    'price reserves nothing.',
  identify: identifySignedResponse,
  signedHeaders,
  onInvalid: rememberRefusal,
  params: Closed(QuoteParams),
  headers: Closed({
    // A signer always has one, which is not blank; for other callers it is not read.
    service_webhook_id: Type.Optional(
      Type.String({ maxLength: 255, description: 'With a signature: the event that is answered.' }),
    ),
  }),
  body: QuoteResponseCreate,
  signedBody: SignedQuoteResponse,
  examples: {
    price: {
      summary: 'Offer a price',
      body: {
        outcome: 'quoted',
        offers: [{ total_amount: 4497, expires_at: '2030-01-31T12:00:00Z', available_quantity: 25 }],
      },
    },
    decline: { summary: 'Decline', body: { outcome: 'declined' } },
    inputs: {
      summary: 'Ask the buyer something first',
      body: { outcome: 'requires_input', required_inputs: [{ name: 'engraving', label: 'What to engrave' }] },
    },
  },
  responses: { 200: Acknowledgement },
  answers: {
    401: 'Sign the answer as the destination that received quote.requested, or send a secret key of the merchant.',
  },
  problems: [
    'signature_invalid',
    'response_not_authorized',
    'not_found',
    'response_conflict',
    'quote_expired',
  ],
  // When two answers arrive at once, the second meets the first one's row.
  conflicts: { quote_answers_pkey: 'response_conflict' },
  async handle(ctx, { path, body, headers, rawBody }) {
    const { accountId, mode } = ctx.tenant
    const isSigned = ctx.actor.type === 'destination'
    const named = (isSigned ? headers.service_webhook_id : undefined) ?? body.event_id ?? null
    const key = { merchant_account_id: accountId, mode, id: path.quote_id }
    const [row, before] = await Promise.all([
      ctx.tx.maybe(lockMerchantQuote(key)),
      ctx.tx.maybe(selectAnswer({ ...key, event_id: named })),
    ])
    if (!row) throw new Problem('not_found', { param: 'quote_id' })
    const expected = { isBooking: row.item_type === 'booking', currency: row.merchant_currency }
    const read = readAnswer(body, expected)
    if (!('answer' in read)) throw new ValidationProblem(read.issues)
    const eventId = await answeredEvent(ctx, row, {
      eventId: named,
      inBody: body.event_id ?? null,
      quoteId: 'quote_id' in body ? body.quote_id : null,
    })
    const digest = answerDigest(rawBody, body)
    const decision = decideResponse(row, { eventId, digest, before }, ctx.now)
    const isRepeat = decision.ok && decision.value === 'repeat'
    // Checked only here: a retry may arrive after its offers have ended.
    const ended = read.answer.kind === 'quoted' && !isRepeat ? endedOffers(read.answer.offers, ctx.now) : []
    if (ended.length > 0) throw new ValidationProblem(ended)
    if (!decision.ok) throw new Problem(decision.refusal)
    if (!isRepeat) takeAnswer(ctx, row, { answer: read.answer, eventId, digest })
    return reply(200, {
      event_id: eventId,
      event_type: 'quote.requested' as const,
      target_id: row.id,
      duplicate: isRepeat,
    })
  },
})

/**
 * A caller that waits for nothing else is answered that the merchant's backend fails. The refusal of another request does not concern it.
 */
async function rememberRefusal({ tenant, actor, path, headers, ...ctx }: InvalidRequest): Promise<void> {
  const { accountId, mode } = tenant
  const key = { merchant_account_id: accountId, mode, id: String(path.quote_id) }
  const awaited = await ctx.reads.maybe(selectAwaitedAnswer(key))
  if (!awaited) return
  const { destination_id: destinationId, requested_event_id: eventId } = awaited
  if (actor.type === 'destination' && headers[responseHeaders.eventId] !== eventId) return
  await recordRefusedAnswer(ctx, { accountId, mode, destinationId, eventId })
}

/** The request that is answered: the one that the delivery or the body names, otherwise the last. */
async function answeredEvent(
  ctx: CallContext,
  row: QuoteRow,
  named: { eventId: string | null; inBody: string | null; quoteId: string | null },
): Promise<string> {
  const eventId = named.eventId ?? row.requested_event_id
  if (eventId === null) throw new Problem('quote_expired', { message: 'The quote awaits no answer.' })
  const isKnown =
    eventId === row.requested_event_id ||
    (await ctx.tx.maybe(
      selectRequest({ account_id: row.account_id, mode: row.mode, quote_id: row.id, event_id: eventId }),
    )) !== null
  const wrong = [
    ...(!isKnown || (named.inBody !== null && named.inBody !== eventId) ? ['event_id'] : []),
    ...(named.quoteId !== null && named.quoteId !== row.id ? ['quote_id'] : []),
  ]
  if (wrong.length === 0) return eventId
  throw new ValidationProblem(
    wrong.map((field) => ({
      type: 'value_error',
      loc: ['body', field],
      msg: `Value error, ${answeredRules.other}`,
    })),
  )
}

/** Applies the accepted answer. The quote belongs to the buyer's account, even when another account answers. */
function takeAnswer(
  ctx: CallContext,
  row: QuoteRow,
  taken: { answer: Answer; eventId: string; digest: Buffer },
): void {
  const { answer, eventId, digest } = taken
  // This comes first, so that the rest can be one statement.
  if (ctx.actor.type === 'destination') {
    recordBusinessResponse(ctx, { destinationId: ctx.actor.id, eventId, accepted: true })
  }
  ctx.tx.write(
    insertAnswer({
      account_id: row.account_id,
      mode: row.mode,
      quote_id: row.id,
      event_id: eventId,
      round: row.round,
      digest,
      actor_type: ctx.actor.type,
      actor_id: ctx.actor.id,
      now: ctx.now,
    }),
  )
  const answered = {
    ...answeredColumns(ctx, answer),
    responded_at: ctx.now,
    responded_by_type: ctx.actor.type,
    responded_by_id: ctx.actor.id,
  }
  writeQuote(ctx, row, answered, `quote.${answer.kind}`)
}

function answeredColumns(ctx: CallContext, answer: Answer) {
  switch (answer.kind) {
    case 'quoted': {
      const offers = answer.offers.map(({ offer }) => ({
        id: ctx.newId('offer'),
        ...offer,
        expires_at: new Date(offer.expires_at).toISOString(),
      }))
      // The quote stands as long as the last of its offers.
      const expiresAt = new Date(Math.max(...offers.map((offer) => Date.parse(offer.expires_at))))
      return { status: answer.kind, offers, expires_at: expiresAt, due_at: expiresAt }
    }
    case 'declined':
      return { status: answer.kind, message: answer.message, due_at: null }
    case 'requires_input':
      return { status: answer.kind, required_inputs: answer.inputs, due_at: null }
    default:
      return answer satisfies never
  }
}
