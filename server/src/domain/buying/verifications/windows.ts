import Type from 'typebox'
import type { CallContext } from '../../../contract/context.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Amount, Closed, ModeSchema, Nullable, OneOf } from '../../../contract/schemas.ts'
import { toWire } from '../../../core/money.ts'
import { elementHash } from '../../../platform/doors/element-door.ts'
import {
  checkCreated,
  checkUsed,
  optionsToMake,
  optionsToUse,
  type RelyingParty,
} from '../../../platform/passkeys/passkeys.ts'
import { lockPayingMethod, readCardFacts, tryEnrollmentStep } from '../../buyers/payment-methods/public.ts'
import { CardBank, cardBankBudgetMs } from './port.ts'
import { type VerificationRow, windowAddress } from './verification.ts'
import {
  insertPasskey,
  lockWindow,
  type PasskeyRow,
  selectPasskeys,
  selectTerms,
  selectWindow,
  updatePasskey,
  updateVerification,
} from './verifications.sql.ts'

const WindowToken = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'What stands in the address of the window.',
})
const Credential = Type.Record(Type.String({ maxLength: 64 }), Type.Unknown(), {
  maxProperties: 16,
  description: 'Of a passkey: what the browser has made of `options`, as JSON.',
})

export const openElementWindow = defineOperation({
  id: 'elements_open_window',
  method: 'POST',
  path: '/elements/v1/ceremonies/open',
  auth: 'window',
  scope: null,
  tag: 'Elements',
  summary: 'Open the window in which a person proves a card',
  description: 'The window itself asks, when it is shown. It may be loaded again.',
  surfaces: ['elements'],
  forBound: 'served',
  body: Closed({ window: WindowToken }),
  responses: {
    200: Closed({
      mode: ModeSchema,
      purpose: OneOf(['approval', 'enrollment'], { description: 'What is proven.' }),
      method: OneOf(['passkey', 'popup'], { description: 'By what.' }),
      page: Type.String({ description: 'The origin of the page that asks.' }),
      merchants: Type.Array(Type.String(), { description: 'Hosts of the shops of the purchase.' }),
      amount: Nullable(Amount('The most that can be charged, in minor units.')),
      currency: Nullable(Type.String({ description: 'Its currency.' })),
      card_brand: Type.String({ description: 'The brand of the card.' }),
      card_last4: Type.String({ description: 'Its last four digits.' }),
      options: Nullable(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'Of a passkey: what the browser is asked.',
        }),
      ),
      bank: Nullable(
        Closed(
          {
            url: Type.String({ description: 'The page on which the bank asks.' }),
            answer: OneOf(['pending', 'confirmed', 'refused'], { description: 'What it was told there.' }),
          },
          { description: 'Of a `popup`: the bank of the card, which leads back to the window.' },
        ),
      ),
    }),
  },
  problems: ['session_expired', 'verification_used'],
  outside: { ports: [CardBank], budgetMs: cardBankBudgetMs },
  async handle(ctx, { body }) {
    const { accountId: account_id, mode } = ctx.tenant
    const window_hash = elementHash(body.window)
    const seen = openRow(await ctx.reads.maybe(selectWindow({ account_id, mode, window_hash })), ctx.now)
    const { payment_method_id, purchase_intent_id } = seen
    const [card, passkeys, terms] = await Promise.all([
      readCardFacts(ctx, { profileId: seen.profile_id, id: payment_method_id }),
      ctx.reads.rows(selectPasskeys({ account_id, mode, payment_method_id })),
      ctx.reads.maybe(selectTerms({ account_id, mode, purchase_intent_id })),
    ])
    if (card === null) throw new Problem('session_expired')
    const hosts = terms?.hosts ?? []
    const bank =
      seen.method === 'popup' ? await askBank(ctx, seen, { card, shops: hosts, token: body.window }) : null
    const asked = openRow(await ctx.tx.maybe(lockWindow({ account_id, mode, window_hash })), ctx.now)
    const options =
      asked.method === 'passkey' ? await optionsFor(ctx, asked.purpose, { passkeys, card }) : null
    const challenge = options === null ? null : options.challenge
    const opened = {
      opened_at: ctx.now,
      challenge,
      bank_reference: bank?.reference ?? null,
      updated_at: ctx.now,
    }
    ctx.tx.write(updateVerification({ account_id, mode, ...asked, ...opened }))
    return reply(200, {
      mode,
      purpose: asked.purpose,
      method: asked.method === 'passkey' ? ('passkey' as const) : ('popup' as const),
      page: asked.page,
      merchants: hosts,
      amount: asked.amount === null ? null : toWire(asked.amount),
      currency: asked.currency,
      card_brand: card.card_brand,
      card_last4: card.card_last4,
      options: options === null ? null : { ...options },
      bank: bank === null ? null : { url: bank.url, answer: bank.answer },
    })
  },
})

export const finishElementWindow = defineOperation({
  id: 'elements_finish_window',
  method: 'POST',
  path: '/elements/v1/ceremonies/finish',
  auth: 'window',
  scope: null,
  tag: 'Elements',
  summary: 'Say what a person has done in the window',
  description:
    'With `credential` a passkey has proven it. Without one the bank of the card is asked what it was told.',
  surfaces: ['elements'],
  forBound: 'served',
  body: Closed({
    window: WindowToken,
    is_confirmed: Type.Boolean({ description: 'False: the person does not want it, or cannot.' }),
    credential: Type.Optional(Credential),
  }),
  responses: {
    200: Closed({ status: OneOf(['proven', 'refused'], { description: 'What has come of it.' }) }),
  },
  problems: ['session_expired', 'verification_used', 'verification_failed', 'enrollment_not_pending'],
  outside: { ports: [CardBank], budgetMs: cardBankBudgetMs },
  async handle(ctx, { body }) {
    const { accountId: account_id, mode } = ctx.tenant
    const window_hash = elementHash(body.window)
    const asked = openRow(await ctx.reads.maybe(selectWindow({ account_id, mode, window_hash })), ctx.now)
    if (asked.opened_at === null) throw new Problem('verification_used')
    // What a passkey has signed is checked, and the bank asked, before anything is locked.
    const proof = body.is_confirmed
      ? await proofOf(ctx, asked, body.credential ?? null)
      : { isRight: false, write: null }
    const row = openRow(await ctx.tx.maybe(lockWindow({ account_id, mode, window_hash })), ctx.now)
    // guard challenge-of-the-window: what was signed for another opening of the window proves nothing
    if (row.challenge !== asked.challenge) throw new Problem('verification_used')
    // A window that was only closed, or has no passkey for it, costs no guess.
    if (body.is_confirmed || row.method === 'popup') await countProof(ctx, row, proof.isRight)
    if (proof.isRight) proof.write?.()
    const status = proof.isRight ? ('proven' as const) : ('refused' as const)
    ctx.tx.write(updateVerification({ account_id, mode, ...row, status, updated_at: ctx.now }))
    return reply(200, { status })
  },
})

/** What the browser is asked: to make a passkey for the card, or to use one that was made for it. */
function optionsFor(
  ctx: CallContext,
  purpose: VerificationRow['purpose'],
  { passkeys, card }: { passkeys: readonly PasskeyRow[] } & Pick<AskedFor, 'card'>,
): Promise<{ readonly challenge: string }> {
  const asked = { party: partyOf(ctx), challenge: ctx.random(32), passkeys }
  if (purpose === 'approval') return optionsToUse(asked)
  const name = `${card.card_brand} •• ${card.card_last4}`
  return optionsToMake({ ...asked, user: ctx.random(16), name, isFound: false })
}

/** The row of a window that is still to be answered. */
function openRow(row: VerificationRow | null, now: Date): VerificationRow {
  if (!row || row.expires_at <= now) throw new Problem('session_expired')
  if (row.status !== 'pending') throw new Problem('verification_used')
  return row
}

type Proof = { readonly isRight: boolean; readonly write: (() => void) | null }

async function proofOf(
  ctx: CallContext,
  asked: VerificationRow,
  credential: Readonly<Record<string, unknown>> | null,
): Promise<Proof> {
  if (asked.method !== 'passkey') return { isRight: await hasBankConfirmed(ctx, asked), write: null }
  const { challenge, payment_method_id } = asked
  if (credential === null || challenge === null) return { isRight: false, write: null }
  const { accountId: account_id, mode } = ctx.tenant
  const signed = { party: partyOf(ctx), challenge, credential }
  if (asked.purpose === 'enrollment') {
    const made = await checkCreated(signed)
    if (made === null) return { isRight: false, write: null }
    const row = { ...made, payment_method_id, created_at: ctx.now, used_at: null }
    return { isRight: true, write: () => ctx.tx.write(insertPasskey({ account_id, mode, ...row })) }
  }
  const passkeys = await ctx.reads.rows(selectPasskeys({ account_id, mode, payment_method_id }))
  const used = await checkUsed(signed, passkeys)
  if (used === null) return { isRight: false, write: null }
  const row = { ...used.passkey, counter: used.counter, used_at: ctx.now }
  return { isRight: true, write: () => ctx.tx.write(updatePasskey({ account_id, mode, ...row })) }
}

type AskedFor = {
  readonly card: NonNullable<Awaited<ReturnType<typeof readCardFacts>>>
  readonly shops: readonly string[]
  /** Of the window, to which the page of the bank leads back. */
  readonly token: string
}

async function askBank(ctx: CallContext, row: VerificationRow, { card, shops, token }: AskedFor) {
  const { elements } = ctx.settings
  if (elements === undefined) throw new Problem('session_expired')
  const { id: key, purpose, amount, currency } = row
  const returnUrl = windowAddress(elements, token)
  const { test_card: testCard, kept_customer: customer, kept_method: kept } = card
  const known = { testCard, kept: customer === null || kept === null ? null : { customer, method: kept } }
  const asked = await ctx
    .port(CardBank)
    .ask({ key, ...known, purpose, amount, currency, shops, returnUrl }, bankCall(ctx))
  if (asked.kind === 'away') throw awayBank()
  return asked
}

async function hasBankConfirmed(ctx: CallContext, { bank_reference }: VerificationRow): Promise<boolean> {
  if (bank_reference === null) return false
  const answer = await ctx.port(CardBank).answerTo(bank_reference, bankCall(ctx))
  if (answer === 'away') throw awayBank()
  // guard word-of-the-bank: a window says nothing in the name of a bank
  return answer === 'confirmed'
}

function bankCall({ tenant }: CallContext) {
  return { mode: tenant.mode, timeoutMs: cardBankBudgetMs }
}

function awayBank(): Problem {
  return new Problem('unavailable', { headers: { 'retry-after': '1' } })
}

/** Wrong proofs are counted at the card, as wrong codes are. */
async function countProof(ctx: CallContext, row: VerificationRow, isProven: boolean): Promise<void> {
  const { profile_id: profileId, payment_method_id: id, method } = row
  if (method !== 'passkey' && method !== 'popup') throw new Error(`${row.id} has a window and no step for it`)
  if (row.purpose === 'enrollment') {
    const tried = await tryEnrollmentStep(ctx, { profileId, id }, { method, isProven }, row.session_hash)
    if (tried.kind === 'not_pending') throw new Problem('enrollment_not_pending')
    return
  }
  const card = await lockPayingMethod(ctx, { profileId, id })
  // Of a card that its rail keeps the bank is asked whether it is enrolled or not.
  if (card === null || (card.agentic_status !== 'active' && card.kept_by === null))
    throw new Problem('session_expired')
  card.countStepUp(isProven, { atCard: row.is_vouched })
}

/** Passkeys are of the host of the elements origin, or of a domain above it: no page elsewhere can use them. */
function partyOf({ settings }: CallContext): RelyingParty {
  if (settings.elements === undefined) throw new Problem('session_expired')
  const { hostname, origin } = new URL(settings.elements.url)
  return { id: settings.elements.rpId ?? hostname, origin }
}
