import type { QuoteAsRead } from '../../trade/quotes/public.ts'
import { changedSettings, type DestinationSettings } from '../../webhooks/destinations/public.ts'
import type { DeliveryFacts } from '../../webhooks/destinations/reads.sql.ts'
import type { Finding } from './conclude-check.ts'
import { checkDelivery, checkDestination, failed } from './findings.ts'
import type { CheckedStatus } from './integration-checks.sql.ts'

/** The columns of a quote that concern the destination that was asked. */
export type AskedQuote = Pick<
  QuoteAsRead,
  | 'status'
  | 'requested_at'
  | 'deadline_at'
  | 'responded_at'
  | 'responded_by_type'
  | 'responded_by_id'
  | 'offers'
  | 'merchant_currency'
>

export type QuoteCheckFacts = {
  destinationId: string
  destinationStatus: CheckedStatus
  /** The settings when it was asked, and those of today. */
  settingsThen: DestinationSettings
  settingsNow: DestinationSettings
  quote: AskedQuote
  delivery: DeliveryFacts | null
  now: Date
}

const again = 'Then start another check.'

/** What a quote proves about the destination that was asked for it. */
export function decideQuoteCheck(facts: QuoteCheckFacts): Finding[] {
  const { settingsNow, destinationStatus, quote, delivery, now } = facts
  return [
    checkDestination(destinationStatus, settingsNow.responds_to_quotes, 'quote', now),
    { name: 'quote', status: 'passed', detail: 'A quote was requested.', at: quote.requested_at },
    checkDelivery(delivery, { type: 'quote.requested', isOpen: quote.status === 'pending', again }),
    checkResponse(facts),
    checkOffer(quote),
    checkSettings(facts),
  ]
}

const silence = {
  code: 'no_answer_in_time',
  message: 'The destination did not answer within ten seconds.',
  fix: `Post the signed answer to the URL in Service-Response-Url within ten seconds. ${again}`,
}

function checkResponse({ quote, destinationId }: QuoteCheckFacts): Finding {
  const name = 'response'
  const { status, responded_at: at, responded_by_type: by, deadline_at: deadline } = quote
  if (at === null) {
    if (status === 'pending') {
      return { name, status: 'running', detail: 'The quote waits for its answer.', at, otherwise: silence }
    }
    return failed(name, at, {
      code: status === 'failed' ? 'responder_failed' : `quote_${status}`,
      message:
        status === 'failed'
          ? 'The destination refused quote.requested, or kept failing.'
          : `The quote was ${status} before it was answered.`,
      fix: `Acknowledge quote.requested with a 2xx and answer it. ${again}`,
    })
  }
  if (by !== 'destination') {
    return failed(name, at, {
      code: 'answered_with_api_key',
      message: 'The quote was answered with an API key, which proves nothing about the destination.',
      fix: `Sign the answer with the destination's secret. ${again}`,
    })
  }
  if (quote.responded_by_id !== destinationId) {
    return failed(name, at, {
      code: 'answered_by_other_destination',
      message: 'Another destination answered the quote.',
      fix: `Check the designated responder. ${again}`,
    })
  }
  if (deadline !== null && at > deadline) return failed(name, at, silence)
  const tookMs = quote.requested_at === null ? 0 : at.getTime() - quote.requested_at.getTime()
  return {
    name,
    status: 'passed',
    detail: `This destination answered after ${tookMs} ms, with its signature.`,
    at,
  }
}

function checkOffer({ status, offers, responded_at: at, merchant_currency: currency }: AskedQuote): Finding {
  const name = 'offer'
  if (status === 'pending') {
    return { name, status: 'running', detail: 'There is no price yet.', at: null, otherwise: silence }
  }
  if (status === 'declined' || status === 'requires_input') {
    const isDeclined = status === 'declined'
    return failed(name, at, {
      code: isDeclined ? 'quote_declined' : 'input_required',
      message: isDeclined
        ? 'The destination declined, so it named no price.'
        : 'The merchant needs `inputs` before it names a price.',
      fix: isDeclined
        ? `Name something in quote_request that the destination can price. ${again}`
        : `Send the inputs that it needs in quote_request.inputs. ${again}`,
    })
  }
  const valid = offers.find(
    (offer) => offer.currency === currency && at !== null && Date.parse(offer.expires_at) > at.getTime(),
  )
  if (!valid) {
    return failed(name, at, {
      code: 'no_valid_offer',
      message: `No price of the answer can be accepted: none is in ${currency} and still valid.`,
      fix: `Answer with a price in ${currency} that expires in the future. ${again}`,
    })
  }
  const detail = `${valid.total_amount} ${valid.currency} in minor units, until ${valid.expires_at}.`
  return { name, status: 'passed', detail, at }
}

function checkSettings({ settingsThen, settingsNow, now }: QuoteCheckFacts): Finding {
  const changes = changedSettings(settingsThen, settingsNow)
  if (changes.length === 0) {
    return {
      name: 'settings',
      status: 'passed',
      detail: 'The settings are the same as when the quote was requested.',
      at: now,
    }
  }
  return failed('settings', now, {
    code: 'settings_changed',
    message: `The destination changed during the check: ${changes.join(', ')}.`,
    fix: again,
  })
}
