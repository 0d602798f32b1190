import type { Stripe } from 'stripe'
import type {
  Call,
  NotNow,
  RailAnswer,
  RailCredential,
  RailMemory,
  RailObject,
} from '../../domain/buying/rails/port.ts'
import { isRecord } from '../../platform/egress/peer-json.ts'
import type { VaultClient } from '../../platform/vault-client/vault-client.ts'
import { toStripe } from './currencies.ts'
import { refused } from './intents.ts'
import { cardIn, type IssuedCard, issuedCardOf, readCard } from './issued-card.ts'
import { errorOf, keyField, notNowOf } from './payment-intent.ts'
import { apiVersion, type StripeAnswer, type StripeApi, within } from './stripe-api.ts'

/** In whose name cards are issued, and who reads their numbers, at `url`. */
export type Issuing = Program & { readonly url: string; readonly vault: VaultClient }

type Program = { readonly api: StripeApi; readonly cardholder: string }

/** The terms of a card, whose number goes into the vault. */
type CardTerms = RailCredential & { readonly vaultOf: NonNullable<RailCredential['vaultOf']> }

export function isCard(input: RailCredential): input is CardTerms {
  return input.vaultOf !== undefined
}

/**
 * Issues a card and has the vault fetch its number. Both can be done again: the key finds the card, and the vault knows the number. Its limit
 * is for all time and for any number of authorizations: shops check a card with a cent, and send two parcels.
 */
export async function issueCard(issuing: Issuing, input: CardTerms, call: Call): Promise<RailAnswer> {
  const next = within(call)
  const made = await makeCard(issuing, input, next())
  if (made === null) return refused({ code: 'currency_not_supported' })
  if (made.kind === 'not_sent') return made
  // Stripe repeats its failure to the key from now on: what it made before it failed is all that there will be.
  if (made.kind === 'failed' && made.isReplayed) return answerTo(await askCard(issuing, input, next()))
  if (made.kind !== 'answer') return { kind: 'unknown' }
  const card = made.status === 200 ? issuedCardOf(made.body) : null
  if (card === null) return answerToIssuing(made)
  // What is repeated is how the card stood when it was issued.
  const now = made.isReplayed ? await readCard(issuing.api, card.id, next) : newCard(card)
  if (now.kind !== 'card') return now
  return now.card.isCanceled
    ? refused({ code: 'closed' })
    : await fetchNumber(issuing, input, now.object, next())
}

function answerTo(known: RailMemory): RailAnswer {
  if (known.kind === 'not_found' || known.kind === 'closed') return refused({ code: 'closed' })
  return known.kind === 'pending' ? { kind: 'unknown' } : known
}

function newCard(card: IssuedCard): { kind: 'card'; card: IssuedCard; object: RailObject } {
  const { id: reference, limit: amount, currency } = card
  const nothing = { claimedAmount: null, capturedAmount: 0n, refundedAmount: 0n, captureReference: null }
  return { kind: 'card', card, object: { reference, status: 'authorized', amount, currency, ...nothing } }
}

/** The request under the key of the credential: the same bytes whenever it is sent. Null: Stripe cannot be told the limit. */
async function makeCard(
  { api, cardholder }: Program,
  { key, limit, currency, merchant }: CardTerms,
  call: Call,
): Promise<StripeAnswer | null> {
  const amount = toStripe(limit, currency)
  if (amount === null) return null
  const params: Stripe.Issuing.CardCreateParams = {
    cardholder,
    currency: currency.toLowerCase(),
    type: 'virtual',
    status: 'active',
    spending_controls: { spending_limits: [{ amount, interval: 'all_time' }] },
    metadata: { [keyField]: key, merchant },
  }
  return await api.send((stripe, options) => stripe.issuing.cards.create(params, options), call, key)
}

/** The parts of a request for which the same request would be refused again. */
const neverIssued = [
  ['currency', 'currency_not_issuable'],
  ['spending_controls', 'limit_not_supported'],
] as const

type Refusal = Extract<RailAnswer, { kind: 'refused' | 'not_now' | 'unknown' }>

function answerToIssuing(said: Extract<StripeAnswer, { kind: 'answer' }>): Refusal {
  const { param } = errorOf(said)
  const code = neverIssued.find(([part]) => typeof param === 'string' && param.startsWith(part))?.[1]
  if (said.status === 400 && code !== undefined) return refused({ code })
  return notNowOf(said) ?? { kind: 'unknown' }
}

/** Where Stripe's answer says what makes a card usable. */
const numberPointers = {
  number: '/number',
  expMonth: '/exp_month',
  expYear: '/exp_year',
  securityCode: '/cvc',
  holder: '/cardholder/name',
}

/** The vault asks with a key of its own, which no other process has: this one says neither key nor number. */
async function fetchNumber(
  { url, vault }: Issuing,
  { vaultOf, expiresAt }: CardTerms,
  issued: RailObject,
  call: Call,
): Promise<Extract<RailMemory, { kind: 'done' | 'unknown' }>> {
  const told = await vault.forward({
    tenant: { accountId: vaultOf, mode: call.mode },
    method: 'GET',
    url: `${url.replace(/\/+$/, '')}/v1/issuing/cards/${encodeURIComponent(issued.reference)}?expand%5B%5D=number&expand%5B%5D=cvc`,
    headers: { 'stripe-version': apiVersion },
    body: null,
    timeoutMs: call.timeoutMs,
    seal: { ...numberPointers, keepUntil: expiresAt },
  })
  // The card exists, and the same call finds it again.
  if (told.kind !== 'answer' || told.record === null) return { kind: 'unknown' }
  return { kind: 'done', value: { ...issued, record: told.record.id } }
}

/** What became of the card of a key. A card is in the list of its holder's as soon as it is issued. */
export async function askCard(issuing: Issuing, input: CardTerms, call: Call): Promise<RailMemory> {
  const next = within(call)
  const found = await findCards(issuing, input, next)
  if (found.kind !== 'cards') return found
  const { stands, spent, any } = sorted(found.cards)
  if (stands) return await fetchNumber(issuing, input, stands, next())
  if (spent) return { kind: 'done', value: spent }
  return any ? { kind: 'closed' } : { kind: 'not_found' }
}

/**
 * Closes the key of a card. Stripe cannot be told to refuse a key, so the call is made again as it was: one that is still under way reaches
 * the same card. Then every card that was issued under the key is canceled. What a merchant holds on one by then stays capturable.
 */
export async function closeCard(program: Program, input: CardTerms, call: Call): Promise<RailMemory> {
  const next = within(call)
  const made = await makeCard(program, input, next())
  if (made === null) return { kind: 'closed' }
  if (made.kind !== 'answer' && !(made.kind === 'failed' && made.isReplayed)) return { kind: 'unknown' }
  const card = made.kind === 'answer' && made.status === 200 ? issuedCardOf(made.body) : null
  if (made.kind === 'answer' && card === null) {
    const answer = answerToIssuing(made)
    if (answer.kind !== 'refused') return answer
  }
  const found = await findCards(program, input, next)
  if (found.kind !== 'cards') return found
  // guard closing-cancels-every-card: a key that Stripe has forgotten may have made a second card
  const ids = new Set([...(card ? [card.id] : []), ...found.cards.map(({ card: one }) => one.id)])
  const left: ReadCard[] = []
  for (const id of ids) {
    const ended = await cancelCard(program.api, id, next)
    if (ended.kind !== 'card') return ended.kind === 'not_sent' ? { kind: 'unknown' } : ended
    // Stripe has not canceled it: the key is not finished.
    if (!ended.card.isCanceled) return { kind: 'unknown' }
    left.push(ended)
  }
  const { spent } = sorted(left)
  return spent ? { kind: 'done', value: spent } : { kind: 'closed' }
}

type ReadCard = Extract<Awaited<ReturnType<typeof readCard>>, { kind: 'card' }>

/** `stands`: a card that somebody could still use; `spent`: one that a merchant has used. */
function sorted(cards: readonly ReadCard[]) {
  const isUsed = ({ object }: ReadCard) => object.status !== 'authorized' && object.status !== 'voided'
  return {
    stands: cards.find((one) => !one.card.isCanceled)?.object,
    spent: cards.find(isUsed)?.object,
    any: cards.length > 0,
  }
}

/** The time of a card is set when it is issued, and ends within a day: no card of a key is older than this. */
const issuedWithinDays = 31

/** Every card of a key: Stripe has no search for cards, and its list of them is never late. */
async function findCards(
  { api, cardholder }: Program,
  { key, expiresAt }: CardTerms,
  next: () => Call,
): Promise<{ readonly kind: 'cards'; readonly cards: readonly ReadCard[] } | Unread> {
  const gte = Math.max(0, Math.floor(expiresAt.getTime() / 1000) - issuedWithinDays * 86_400)
  const query = { cardholder, type: 'virtual', created: { gte }, limit: 100 } as const
  const cards: ReadCard[] = []
  for (let after: string | null = null; ; ) {
    const page: Stripe.Issuing.CardListParams = after === null ? query : { ...query, starting_after: after }
    const said = await api.send((stripe, options) => stripe.issuing.cards.list(page, options), next())
    if (said.kind !== 'answer') return { kind: 'unknown' }
    const { data, has_more: more } = said.body
    if (said.status !== 200 || !Array.isArray(data)) return notNowOf(said) ?? { kind: 'unknown' }
    for (const one of data) {
      if (!isRecord(one) || !isRecord(one.metadata) || one.metadata[keyField] !== key) continue
      const read = await readCard(api, String(one.id), next)
      if (read.kind !== 'card') return read
      cards.push(read)
    }
    const last: unknown = data.at(-1)
    if (more !== true) return { kind: 'cards', cards }
    if (!isRecord(last) || typeof last.id !== 'string') return { kind: 'unknown' }
    after = last.id
  }
}

type Unread = NotNow | { readonly kind: 'unknown' }

export async function revokeCard(api: StripeApi, reference: string, call: Call): Promise<RailAnswer> {
  const ended = await cancelCard(api, reference, within(call))
  if (ended.kind !== 'card') return ended
  return ended.card.isCanceled ? { kind: 'done', value: ended.object } : { kind: 'unknown' }
}

/** Canceling needs no key: it can be done any number of times. Answers how the card stands afterwards. */
async function cancelCard(
  api: StripeApi,
  reference: string,
  next: () => Call,
): Promise<ReadCard | Extract<RailAnswer, { kind: 'not_sent' | 'not_now' | 'unknown' }>> {
  const params = { status: 'canceled' } as const
  const said = await api.send(
    (stripe, options) => stripe.issuing.cards.update(reference, params, options),
    next(),
  )
  if (said.kind === 'not_sent') return said
  const card = cardIn(said)
  // Stripe refuses to change a card that was canceled before.
  const isRefused = 'reason' in card && card.reason === 'not_understood'
  if (!('id' in card) && !isRefused) return card
  const now = await readCard(api, reference, next)
  return now.kind === 'card' && isRefused && !now.card.isCanceled ? { kind: 'unknown' } : now
}

/** What became of a revoke: the card itself shows it. */
export async function askRevoked(api: StripeApi, reference: string, call: Call): Promise<RailMemory> {
  const now = await readCard(api, reference, within(call))
  if (now.kind !== 'card') return now
  return now.card.isCanceled ? { kind: 'done', value: now.object } : { kind: 'not_found' }
}
