import type { ActingContext } from '../../../contract/context.ts'
import { Problem, ValidationProblem } from '../../../contract/problem.ts'
import { askMerchant, prepareQuote, type QuoteAsRead, readQuote } from '../../trade/quotes/public.ts'
import type { DeliveryFacts } from '../../webhooks/destinations/reads.sql.ts'
import { type Conclusion, concludeCheck, type Finding } from './conclude-check.ts'
import { decideQuoteCheck } from './decide-quote-check.ts'
import { blankEvidence } from './evidence.ts'
import { checkDestination, failed } from './findings.ts'
import type { CheckEvidence, CheckRow } from './integration-check.ts'
import { type LockedCheck, selectQuoteDelivery } from './integration-checks.sql.ts'
import type { Look } from './write-check.ts'

/**
 * One look of a locked quote check. The first look requests the quote, in the transaction that stores which quote it is: a worker that
 * takes the check over finds it, so the merchant is asked once.
 */
export async function lookAtQuote(ctx: ActingContext, row: LockedCheck): Promise<Look> {
  if (row.quote_id === null) return askForQuote(ctx, row)
  const { account_id, mode, destination_id } = row
  const [quote, seen] = await Promise.all([
    readQuote(ctx.tx, { accountId: account_id, mode }, row.quote_id),
    ctx.tx.maybe(selectQuoteDelivery({ account_id, mode, destination_id, quote_id: row.quote_id })),
  ])
  if (!quote || !seen) throw new Error('the quote of a check is gone')
  const settings = row.settings ?? row.settings_now
  const findings = decideQuoteCheck({
    destinationId: destination_id,
    destinationStatus: row.destination_status,
    settingsThen: settings,
    settingsNow: row.settings_now,
    quote,
    delivery: seen.delivery,
    now: ctx.now,
  })
  return {
    conclusion: concludeCheck(findings, ctx.now < row.deadline_at),
    evidence: evidenceOf(row, quote, seen.delivery),
    settings,
    quoteId: quote.id,
    deadlineAt: row.deadline_at,
  }
}

async function askForQuote(ctx: ActingContext, row: LockedCheck): Promise<Look> {
  const { settings_now: settings, deadline_at: deadlineAt } = row
  const blank = { evidence: blankEvidence(settings), settings, quoteId: null, deadlineAt }
  const destination = checkDestination(row.destination_status, settings.responds_to_quotes, 'quote', ctx.now)
  if (destination.status !== 'passed') return { ...blank, conclusion: conclude([destination]) }
  const asked = await tryToAsk(ctx, row)
  if ('refusal' in asked) return { ...blank, conclusion: conclude([destination, asked.refusal]) }
  const { quote } = asked
  if (quote.status !== 'pending') {
    const refusal = failed('quote', ctx.now, {
      code: 'input_required',
      message: 'The item needs `inputs` before a price can be requested.',
      fix: 'Send the inputs that it needs in quote_request.inputs.',
    })
    return { ...blank, conclusion: conclude([destination, refusal]), quoteId: quote.id }
  }
  return {
    conclusion: conclude([destination, ...waitingFor(quote)]),
    evidence: evidenceOf(row, quote, null),
    settings,
    quoteId: quote.id,
    // From now on the merchant's ten seconds count.
    deadlineAt: quote.deadline_at ?? deadlineAt,
  }
}

/** The quote that was requested, or why none could be. */
async function tryToAsk(
  ctx: ActingContext,
  row: CheckRow,
): Promise<{ quote: QuoteAsRead } | { refusal: Finding }> {
  try {
    const { row: quote, target } = await prepareQuote(ctx, row.quote_request ?? {})
    return { quote: askMerchant(ctx, quote, target, { isNew: true }).row }
  } catch (error) {
    // An object that could be asked for when the check was made may be gone by now.
    if (!(error instanceof Problem || error instanceof ValidationProblem)) throw error
    const code = error instanceof Problem ? error.code : 'quote_request_invalid'
    const fix = 'Change what quote_request names, and start another check.'
    return { refusal: failed('quote', ctx.now, { code, message: error.message, fix }) }
  }
}

function waitingFor(quote: QuoteAsRead): Finding[] {
  const at = quote.requested_at
  const otherwise = {
    code: 'no_answer_in_time',
    message: 'No answer came in time.',
    fix: 'Start another check.',
  }
  return [
    { name: 'quote', status: 'passed', detail: 'A quote was requested.', at },
    { name: 'delivery', status: 'running', detail: 'quote.requested is on its way.', at: null, otherwise },
  ]
}

/** For findings that do not depend on the time. */
function conclude(findings: readonly Finding[]): Conclusion {
  return concludeCheck(findings, true)
}

function evidenceOf(row: LockedCheck, quote: QuoteAsRead, delivery: DeliveryFacts | null): CheckEvidence {
  const { responded_at: respondedAt, requested_at: requestedAt } = quote
  const [offer] = quote.offers
  return {
    ...blankEvidence(row.settings ?? row.settings_now),
    event_id: quote.requested_event_id,
    delivery_id: delivery?.id ?? null,
    delivery_attempts: delivery?.attempts ?? 0,
    http_status: delivery?.http_status ?? null,
    responded_at: respondedAt?.toISOString() ?? null,
    responded_by: quote.responded_by_id,
    response_ms: respondedAt && requestedAt && Math.max(0, respondedAt.getTime() - requestedAt.getTime()),
    quote_id: quote.id,
    offer_id: offer?.id ?? null,
    amount: offer?.total_amount ?? null,
    currency: offer?.currency ?? null,
  }
}
