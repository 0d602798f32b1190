import type { Call, NotNow, RailCapture, RailCharge, RailMemory } from '../../domain/buying/rails/port.ts'
import { refuseToAct, termsOfCharge } from './charge.ts'
import { answerToMaking, cancelIntent, type IntentTerms, makeIntent, readIntent, refused } from './intents.ts'
import { type Intent, intentOf, keyField, notNowOf } from './payment-intent.ts'
import { type StripeApi, within } from './stripe-api.ts'

/**
 * What became of the charge of a key. Stripe cannot be asked for a key. But making its intent again holds nothing, and as long as Stripe
 * remembers the key, which is 24 hours, this finds the intent of every earlier sending, at once and for certain. What was made before that
 * is found by its metadata: the search is late by an hour at worst. Both are needed each time, because a first question makes an intent,
 * and after it a second question would take that one for the only one.
 */
export async function askCharge(api: StripeApi, input: RailCharge, call: Call): Promise<RailMemory> {
  const next = within(call)
  const terms = termsOfCharge(input)
  if (terms === null) return { kind: 'not_found' }
  const found = await findIntents(api, terms, next)
  if (found.kind !== 'intents') return found
  const acting = found.intents.find(({ state }) => state === 'acting')
  return acting ? await refuseToAct(api, acting, next) : outcomeOf(found.intents)
}

/**
 * Closes the key of intents. They are canceled, which releases what they hold; from then on a confirmation that is still under way
 * is refused, because it names its intent. A capture stays.
 */
export async function closeIntents(
  api: StripeApi,
  terms: IntentTerms | null,
  call: Call,
): Promise<RailMemory> {
  if (terms === null) return { kind: 'closed' }
  const next = within(call)
  const found = await findIntents(api, terms, next)
  if (found.kind !== 'intents') return found
  for (const { id, state } of found.intents)
    if (state !== 'canceled' && state !== 'captured') await cancelIntent(api, id, next())
  const left = await readAll(
    api,
    found.intents.map(({ id }) => id),
    next,
  )
  if (left.kind !== 'intents') return left
  // Stripe has not canceled one of them: the key is not finished.
  if (left.intents.some(({ state }) => state !== 'canceled' && state !== 'captured'))
    return { kind: 'unknown' }
  const last = outcomeOf(left.intents)
  return last.kind === 'not_found' ? { kind: 'closed' } : last
}

/** Once its hold is released a capture can never be made; a capture that was made cannot be undone. */
export async function closeCapture(
  api: StripeApi,
  { reference }: RailCapture,
  call: Call,
): Promise<RailMemory> {
  const next = within(call)
  await cancelIntent(api, reference, next())
  const hold = await readIntent(api, reference, next())
  if (!('id' in hold)) return hold
  if (hold.state === 'captured') return { kind: 'done', value: hold.object }
  return hold.state === 'canceled' ? { kind: 'closed' } : { kind: 'unknown' }
}

type Found = { readonly kind: 'intents'; readonly intents: readonly Intent[] }
type NotFound = Exclude<RailMemory, { kind: 'done' }>

export async function findIntents(
  api: StripeApi,
  terms: IntentTerms,
  next: () => Call,
): Promise<Found | NotFound> {
  const made = await makeIntent(api, terms, next())
  // A failure that Stripe repeats named no intent, so nobody can have confirmed it.
  if (made.kind === 'failed' && made.isReplayed) return await searchIntents(api, terms.key, next)
  if (made.kind !== 'answer') return { kind: 'unknown' }
  const intent = made.status === 200 ? intentOf(made.body) : null
  if (intent === null) {
    const answer = answerToMaking(made)
    return answer.kind === 'done' || answer.kind === 'not_sent' ? { kind: 'unknown' } : answer
  }
  const searched = await searchIntents(api, terms.key, next)
  if (searched.kind !== 'intents') return searched
  const others = searched.intents.filter(({ id }) => id !== intent.id)
  // What is repeated is how the intent stood when it was made.
  const own = await readAll(api, [intent.id], next)
  return own.kind === 'intents' ? { kind: 'intents', intents: [...own.intents, ...others] } : own
}

async function searchIntents(api: StripeApi, key: string, next: () => Call): Promise<Found | NotFound> {
  if (!/^[\w:.-]+$/.test(key)) throw new Error('a key that cannot stand in a search')
  const query = { query: `metadata['${keyField}']:'${key}'`, limit: 100 }
  const said = await api.send((stripe, options) => stripe.paymentIntents.search(query, options), next())
  if (said.kind !== 'answer') return { kind: 'unknown' }
  if (said.status !== 200 || !Array.isArray(said.body.data)) return notNowOf(said) ?? { kind: 'unknown' }
  const intents = said.body.data.map(intentOf)
  const known = intents.filter((one) => one !== null)
  // If only a part were read, the rest would stay held.
  if (said.body.has_more === true || known.length < intents.length) return { kind: 'unknown' }
  // The index is late: it finds intents, and does not know how they stand.
  return await readAll(
    api,
    known.map(({ id }) => id),
    next,
  )
}

async function readAll(
  api: StripeApi,
  ids: readonly string[],
  next: () => Call,
): Promise<Found | NotNow | { readonly kind: 'unknown' }> {
  const intents: Intent[] = []
  for (const id of ids) {
    const read = await readIntent(api, id, next())
    if (!('id' in read)) return read
    intents.push(read)
  }
  return { kind: 'intents', intents }
}

/** The outcome of a key as a whole. */
export function outcomeOf(intents: readonly Intent[]): RailMemory {
  const standing = (state: Intent['state']) => intents.find((one) => one.state === state)
  const stands = standing('captured') ?? standing('held')
  if (stands) return { kind: 'done', value: stands.object }
  if (standing('pending')) return { kind: 'pending' }
  const refusal = intents.find((one) => one.refusal !== null)?.refusal
  if (refusal) return refused(refusal)
  return standing('canceled') ? { kind: 'closed' } : { kind: 'not_found' }
}
