import { cardBrands } from '../contract/card-brands.ts'
import type { Limits } from '../contract/limits.ts'
import { Problem } from '../contract/problem.ts'
import { testCardNumbered } from '../contract/test-card-numbers.ts'
import { ok, type Result, refused } from '../core/result.ts'
import type { Pools } from '../platform/database/pool.ts'
import type { ElementRight } from '../platform/doors/element-door.ts'
import { isRecord } from '../platform/egress/peer-json.ts'
import type { Faults } from '../platform/faults/faults.ts'
import { subjectOf, takeFrom } from '../platform/limits/rates.ts'
import type { JsonValue } from '../schema/strict-json.ts'
import type { CardRecords } from './card-records.ts'
import type { CardSessions } from './card-sessions.ts'
import { type CardFault, type CardSecrets, checkCard, isSecurityCode } from './check-card.ts'
import { keepCode } from './code-tokens.ts'
import { type Answer, type Asked, refusal } from './public-door.ts'
import type { Refusals } from './refusals.ts'
import type { SecurityCodes } from './security-codes.ts'
import { type CardSession, cardRates } from './vault.sql.ts'

type EntryDeps = {
  readonly pools: Pick<Pools, 'single'>
  readonly sessions: CardSessions
  readonly records: CardRecords
  readonly codes: SecurityCodes
  readonly limits: Limits
  readonly faults: Faults
  readonly refusals: Refusals
}

/** A person leaves a card, and perhaps its security code, which is kept apart from it. */
export function enterCard(deps: EntryDeps, asked: Asked): Promise<Answer> {
  return enter(
    deps,
    asked,
    { rights: ['write'], read: readCard },
    async (session, { cvc, testCard, ...secrets }) => {
      await deps.faults.at('card.keep.before')
      const kept = await deps.records.keep(tenantOf(session), { ...secrets, kind: 'entered', testCard })
      // Its month may have ended since it was looked at.
      if ('fault' in kept) return cardRefused(kept.fault)
      const temporary_cvc_token_id = cvc === null ? null : keepCode(deps.codes, ownerOf(session), cvc)
      await deps.faults.at('card.keep.after')
      const { id: vault_token_id, brand: card_brand, last4: card_last4 } = kept
      return { status: 201, body: { vault_token_id, temporary_cvc_token_id, card_brand, card_last4 } }
    },
  )
}

/** A person types the security code of a card that is there already. */
export function enterCode(deps: EntryDeps, asked: Asked): Promise<Answer> {
  // Who approves types the code of a card that is there, and can add none.
  return enter(deps, asked, { rights: ['write', 'approve'], read: readCode }, async (session, cvc) => {
    const temporary_cvc_token_id = keepCode(deps.codes, ownerOf(session), cvc)
    await deps.faults.at('code.keep.after')
    return { status: 201, body: { temporary_cvc_token_id } }
  })
}

type Entered<Entry> = {
  /** What a session may have any of. */
  readonly rights: readonly ElementRight[]
  read(body: JsonValue, session: CardSession): Result<Entry, Answer>
}

async function enter<Entry>(
  { pools, sessions, limits, refusals }: EntryDeps,
  { session: token, body, address }: Asked,
  { rights, read }: Entered<Entry>,
  keep: (session: CardSession, entry: Entry) => Promise<Answer>,
): Promise<Answer> {
  const session = token === null ? null : await sessions.of(token)
  if (session === null)
    return refusal(410, 'session_expired', 'This form was open for too long. Load it again.')
  // guard sessions-that-may-write: a session that may not add a card adds none
  if (!rights.some((right) => session.may.includes(right)))
    return refusal(403, 'client_secret_required', 'No card can be entered here without a client secret.')
  const by = { session, address }
  const stopped = await refusals.stops(by)
  if (stopped !== null) return stopped
  const entry = read(body, session)
  if (!entry.ok)
    return entry.refusal.status === refusedStatus ? refusals.count(by, entry.refusal) : entry.refusal
  // guard entered-cards-in-a-time: nobody tries out here which numbers are good
  const limited = await countEntry({ pools, limits }, session, address)
  if (limited !== null) return limited
  const kept = await keep(session, entry.value)
  if (kept.status === refusedStatus) return refusals.count(by, kept)
  await refusals.end(by)
  return kept
}

/** Of a number or code that is none. */
const refusedStatus = 422

/** One more card or code. What one refuses counts in none that follows: the narrowest is the first. */
async function countEntry(
  { pools, limits }: Pick<EntryDeps, 'pools' | 'limits'>,
  session: CardSession,
  address: string,
): Promise<Answer | null> {
  const tenant = tenantOf(session)
  const by = { now: new Date(), settings: { limits } }
  try {
    for (const asked of [
      { limit: 'profileCards', subject: subjectOf(tenant, ofProfile(session)) },
      { limit: 'addressCards', subject: subjectOf(tenant, address) },
      { limit: 'keyCards', subject: subjectOf(tenant, session.key_id) },
    ] as const)
      await takeFrom(async (statement) => (await pools.single(statement)).rows, by, [asked], cardRates)
    return null
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { extra = {}, headers = {} } = error.options
    return {
      ...refusal(429, error.code, 'Too many cards were entered here. Try again later.', extra),
      headers,
    }
  }
}

/** Apart for pages that nobody vouches for: who has copied a key keeps nobody from paying elsewhere. */
function ofProfile({ profile_id, is_vouched, may }: CardSession): string {
  return is_vouched || may.includes('approve') ? profile_id : `bare ${profile_id}`
}

type ReadCard = CardSecrets & { readonly cvc: string | null; readonly testCard: string | null }

function readCard(body: JsonValue, { mode }: CardSession): Result<ReadCard, Answer> {
  const said = fieldsOf(body, ['number', 'exp_month', 'exp_year', 'cardholder_name', 'cvc'])
  if (!said.ok) return said
  const { number, exp_month, exp_year, cardholder_name: holder, cvc } = said.value
  if (typeof number !== 'string') return refused(cardRefused('number'))
  if (holder !== null && typeof holder !== 'string') return refused(cardRefused('holder'))
  const secrets = { number, expMonth: wholeOf(exp_month), expYear: wholeOf(exp_year), holder }
  const now = new Date()
  const checked = checkCard(secrets, { year: now.getUTCFullYear(), month: now.getUTCMonth() + 1 })
  if (typeof checked === 'string') return refused(cardRefused(checked))
  if (!isOurBrand(checked.brand))
    return refused(cardRefused('number', 'Cards of this brand are not taken here.'))
  const testCard = testCardNumbered(number)
  // guard test-numbers-in-test-mode: no real card is in test mode, and no test card in live mode
  if ((mode === 'test') !== (testCard !== null))
    return refused(cardRefused('number', mode === 'test' ? onlyTestCards : noTestCards))
  if (cvc !== null && !(typeof cvc === 'string' && isSecurityCode(cvc, checked.brand)))
    return refused(cardRefused('security_code', codeWords(checked.brand)))
  return ok({ ...secrets, cvc, testCard })
}

const onlyTestCards = 'Test mode takes the numbers of test cards only, such as 4242 4242 4242 4242.'
const noTestCards = 'This is the number of a test card. It works in test mode only.'

function readCode(body: JsonValue): Result<string, Answer> {
  const said = fieldsOf(body, ['cvc', 'card_brand'])
  if (!said.ok) return said
  const { cvc, card_brand: brand } = said.value
  if (brand !== null && !isOurBrand(brand))
    return refused(refusal(400, 'bad_request', 'This is no brand of a card.', { param: 'card_brand' }))
  // Where nobody says the brand, it may be that of any.
  const isCode = (one: string) => typeof cvc === 'string' && isSecurityCode(cvc, one)
  if (typeof cvc === 'string' && (brand === null ? ['amex', 'visa'].some(isCode) : isCode(brand)))
    return ok(cvc)
  return refused(cardRefused('security_code', brand === null ? codeWords() : codeWords(brand)))
}

function codeWords(brand?: string): string {
  const digits =
    brand === undefined ? 'three or four digits' : brand === 'amex' ? 'four digits' : 'three digits'
  return `The security code of this card has ${digits}.`
}

const faults = {
  number: ['number', 'This is not the number of a card.'],
  expiry: ['exp_month', 'This card has expired, or this is no date of expiry.'],
  holder: ['cardholder_name', 'This is no name on a card: it has 1 to 100 characters.'],
  security_code: ['cvc', 'This is no security code of this card.'],
} as const satisfies Record<CardFault, readonly [string, string]>

/** It says which field, and never its value. */
function cardRefused(fault: CardFault, message: string = faults[fault][1]): Answer {
  return refusal(refusedStatus, 'card_refused', message, { param: faults[fault][0] })
}

/** Exactly these fields: what is sent beside them was meant to do something. */
function fieldsOf<Name extends string>(
  body: JsonValue,
  names: readonly Name[],
): Result<Readonly<Record<Name, unknown>>, Answer> {
  const isExact =
    isRecord(body) &&
    Object.keys(body).length === names.length &&
    names.every((name) => Object.hasOwn(body, name))
  if (!isExact) return refused(refusal(400, 'bad_request', `Send exactly these fields: ${names.join(', ')}.`))
  return ok(body as Readonly<Record<Name, unknown>>) // it has all of them
}

function wholeOf(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN
}

function isOurBrand(brand: unknown): brand is (typeof cardBrands)[number] {
  return cardBrands.some((ours) => ours === brand)
}

function tenantOf({ account_id: accountId, mode }: CardSession) {
  return { accountId, mode }
}

function ownerOf(session: CardSession) {
  return { tenant: tenantOf(session), profile: session.profile_id }
}
