import { cardRanges } from '../../card-number.ts'
import { isObject } from '../../fields.ts'
import { postJson } from '../../http-client.ts'
import type { CardOutcome } from './card-outcome.ts'
import { openStripeSeller } from './stripe-seller.ts'

/** What a buyer typed. It is passed on and never kept: it could be a real card. */
export type TypedCard = { number: string; expiry: string; securityCode: string }

/** What a buyer pays with: a card, or a token that stands for one. It is passed on and never kept, as the card. */
export type Means = TypedCard | { token: string } | { sharedToken: string }

type CardCall = {
  key: string
  amount: number
  currency: string
  merchant: string
  reference: string
}

const timeoutMs = 10_000

/**
 * A shop's account at the payment processor, and beside it the networks of the cards that Stripe and Link have issued, and its
 * account there for shared payment tokens. Every call may be repeated with its key.
 */
export function openCardProcessor(
  processorUrl: string,
  { stripeUrl, linkUrl }: { stripeUrl?: string; linkUrl?: string } = {},
) {
  const networkAt = (url: string | undefined) => (url === undefined ? processorUrl : `${url}/network`)
  const [ofStripe, ofLink] = [networkAt(stripeUrl), networkAt(linkUrl)]
  const networks = [...new Set([processorUrl, ofStripe, ofLink])]
  const seller = stripeUrl === undefined ? null : openStripeSeller(stripeUrl)
  /** Who has made an object. */
  const networkOf = (id: string) =>
    /^(iauth|ipi)_/.test(id) ? ofStripe : /^(lauth|lpi)_/.test(id) ? ofLink : processorUrl
  const networkOfNumber = (typed: string) => {
    const number = typed.replaceAll(/[ -]/g, '')
    if (number.startsWith(cardRanges.link)) return ofLink
    return number.startsWith(cardRanges.stripe) ? ofStripe : processorUrl
  }

  async function post(
    path: string,
    key: string,
    body: object,
    network: string = processorUrl,
  ): Promise<CardOutcome> {
    try {
      const { status, text } = await postJson({
        url: network + path,
        body: JSON.stringify(body),
        headers: { 'idempotency-key': key },
        timeoutMs,
      })
      return outcomeOf(status, JSON.parse(text))
    } catch {
      return { kind: 'unknown' }
    }
  }

  async function settleAt(network: string, key: string): Promise<CardOutcome> {
    try {
      const found = await fetch(`${network}/v1/operations?key=${encodeURIComponent(key)}`)
      if (found.status === 404) {
        const closed = await post('/v1/operations/close', `close:${key}`, { key }, network)
        return closed.kind === 'unknown' ? closed : { kind: 'declined', code: 'never_sent' }
      }
      const told: unknown = await found.json()
      return isObject(told) && typeof told.status === 'number'
        ? outcomeOf(told.status, told.answer)
        : { kind: 'declined', code: 'closed' }
    } catch {
      return { kind: 'unknown' }
    }
  }

  return {
    /** An amount of 0 only checks the card. */
    authorize(means: Means, { key, ...call }: CardCall): Promise<CardOutcome> {
      if ('sharedToken' in means) return seller?.authorize(means.sharedToken, { key, ...call }) ?? notTaken
      if (!('token' in means)) {
        const { number, expiry, securityCode } = means
        const body = { number, expiry, security_code: securityCode, ...call }
        return post('/v1/card_authorizations', key, body, networkOfNumber(number))
      }
      const { token } = means
      return token.startsWith('vcard_')
        ? post('/v1/card_authorizations', key, { token, ...call })
        : post(`/v1/credentials/${encodeURIComponent(token)}/authorizations`, key, call)
    },
    capture(
      authorizationId: string,
      call: { key: string; amount: number; isFinal: boolean },
    ): Promise<CardOutcome> {
      const { key, amount, isFinal } = call
      if (seller?.isOwn(authorizationId)) return seller.capture(authorizationId, { key, amount })
      const body = { amount, is_final: isFinal }
      return isOfCard(authorizationId)
        ? post(`/v1/card_authorizations/${authorizationId}/captures`, key, body, networkOf(authorizationId))
        : post(`/v1/authorizations/${authorizationId}/captures`, key, { amount })
    },
    reverse(authorizationId: string, key: string): Promise<CardOutcome> {
      if (seller?.isOwn(authorizationId)) return seller.reverse(authorizationId, key)
      return isOfCard(authorizationId)
        ? post(`/v1/card_authorizations/${authorizationId}/reversals`, key, {}, networkOf(authorizationId))
        : post(`/v1/authorizations/${authorizationId}/void`, key, {})
    },
    refund(captureId: string, { key, amount }: { key: string; amount: number }): Promise<CardOutcome> {
      if (seller?.isOwn(captureId)) return seller.refund(captureId, { key, amount })
      return post(`/v1/captures/${captureId}/refunds`, key, { amount }, networkOf(captureId))
    },
    /** What a call came to whose answer was lost; when it never arrived, it never will. */
    async settle(key: string): Promise<CardOutcome> {
      // The card is gone, and with it where it was charged.
      const settled = await Promise.all([
        ...networks.map((network) => settleAt(network, key)),
        ...(seller === null ? [] : [seller.settle(key)]),
      ])
      const away = settled.find(({ kind }) => kind === 'unknown')
      const answered = settled.filter((one) => one.kind !== 'declined' || one.code !== 'never_sent')
      return (
        answered.find(({ kind }) => kind === 'approved') ??
        away ??
        answered[0] ?? { kind: 'declined', code: 'never_sent' }
      )
    },
  }
}

const notTaken: Promise<CardOutcome> = Promise.resolve({ kind: 'declined', code: 'not_taken' })

/** The others were made against a credential without a number, and are captured once. */
function isOfCard(authorizationId: string): boolean {
  return /^(cauth|iauth|lauth)_/.test(authorizationId)
}

export type CardProcessor = ReturnType<typeof openCardProcessor>

function outcomeOf(status: number, body: unknown): CardOutcome {
  if (!isObject(body) || status >= 500) return { kind: 'unknown' }
  if (status < 300) return { kind: 'approved', id: String(body.id ?? '') }
  const error = isObject(body.error) ? body.error : {}
  return { kind: 'declined', code: String(error.decline_code ?? error.code ?? status) }
}
