import { type Guard, guardsOf } from './guard.ts'

const tokens = 'src/domain/buying/payment-tokens/'
const http = `${tokens}create-purchase-intent-payment-token.http.test.ts`
const decide = 'src/domain/buying/execution/place/decide-handed-over.test.ts'
const flows = 'test/flows/payment-tokens.test.ts'
const times = 'test/flows/payment-token-times.test.ts'
const races = 'test/flows/payment-token-races.test.ts'
const conformance = 'test/conformance/sandbox-rail.test.ts'

/** A token is worth one purchase, once: to one merchant, within its amount and its time. */
export const tokensGuards: readonly Guard[] = [
  ...guardsOf(`${tokens}create-purchase-intent-payment-token.ts`, [http], {
    'token-of-what-was-released': {
      keeps: 'only an approved or allowed purchase of which nothing has begun gives a token',
      find: 'if (!isReleased || carts.length > 0)',
      replace: 'if (carts.length > 0)',
    },
    'token-takes-the-whole': {
      keeps: 'a purchase that is being bought otherwise gives no token',
      find: 'if (!isReleased || carts.length > 0)',
      replace: 'if (!isReleased)',
    },
    'token-within-the-cap': {
      keeps: 'no token is worth more than what was approved',
      find: 'if (BigInt(body.amount) > intent.max_allowed_amount) {',
      replace: 'if (BigInt(body.amount) < 0n) {',
    },
    'token-of-its-seller': {
      keeps: 'nobody is paid by a token for what somebody else sells',
      find: 'if (sold.some(({ now }) => now?.account_id !== merchant.account_id))',
      replace: 'if (sold.length === 0)',
    },
    'token-of-the-merchant-decided': {
      keeps: 'a merchant that has changed since the decision gets no token',
      find: 'if (sold.some(({ hasChanged }) => hasChanged))',
      replace: 'if (sold.length === 0)',
    },
    'token-currency': {
      keeps: 'a token is in the currency of its purchase',
      find: 'if (normalizeCurrency(body.currency) !== intent.currency)',
      replace: "if (body.currency === '')",
    },
    'token-is-one-attempt': {
      keeps: 'a token that failed is not issued again',
      find: 'maxAttempts: 1,',
      replace: '',
      killers: [times],
      only: 'that nobody uses',
    },
    'token-caps-its-cart': {
      keeps: 'a merchant charges at most the amount of the token',
      find: 'maxAllowed: BigInt(body.amount),',
      replace: 'maxAllowed: intent.max_allowed_amount,',
      killers: [flows],
    },
  }),
  ...guardsOf(`${tokens}use-payment-token.ts`, [flows], {
    'token-of-one-merchant': {
      keeps: 'no other merchant can use a token',
      find: 'if (row.merchant_account_id !== ctx.tenant.accountId || row.mode !== ctx.tenant.mode)',
      replace: 'if (row.mode !== ctx.tenant.mode)',
    },
    'token-of-one-order': {
      keeps: 'a token pays for one order',
      find: "if (row.order_id !== null) return refused('used')",
      replace: '',
    },
    'token-read-under-its-lock': {
      keeps: 'of several orders that use a token at once, one wins',
      find: 'const row = locked && (await ctx.tx.maybe(selectToken(key)))',
      replace:
        'const row = locked && (await ctx.reads.maybe(selectToken(key))) && { ...(await ctx.reads.maybe(selectToken(key))), order_id: null }',
    },
    'token-not-while-frozen': {
      keeps: 'no order uses a token of what is frozen',
      find: 'if (control && isFrozen(control, { profileId: row.profile_id, agentId: row.agent_id }))',
      replace: 'if (control === undefined)',
      killers: [http],
      only: 'what is frozen',
    },
    'token-in-its-time': {
      keeps: 'no order uses a token after its time',
      find: "if (ctx.now >= row.expires_at) return refused('expired')",
      replace: '',
      killers: [times],
      only: 'that nobody uses',
    },
    'token-only-once-handed-out': {
      keeps: 'a credential that can still be taken back is known to no merchant',
      find: 'credentialReference: row.is_handed_out ? row.credential_reference : null,',
      replace: 'credentialReference: row.credential_reference,',
    },
  }),
  ...guardsOf('src/domain/buying/execution/place/decide-handed-over.ts', [decide], {
    'frozen-hands-nothing-out': {
      keeps: 'what is frozen is handed to nobody',
      find: 'if (facts.isFrozen) return waitFrozen(facts)',
      replace: '',
    },
    'expired-is-revoked': {
      keeps: 'an unused credential is revoked before its cart ends',
      find: 'if (until === null || facts.now >= until || isEnded(facts)) return releaseHold(facts, [hold])',
      replace: 'if (until === null) return releaseHold(facts, [hold])',
    },
    'claimed-is-left-alone': {
      keeps: 'what a merchant has authorized in time it may capture later',
      find: 'return hold.claimedAt === null\n        ?',
      replace: 'return hold.claimedAt !== undefined\n        ?',
    },
    'claimed-not-for-ever': {
      keeps: 'money that a merchant keeps for too long is seen by a person',
      find: "if (facts.now >= latest && !isEnded(facts)) return fail('outcome_unknown')",
      replace: '',
    },
  }),
  ...guardsOf('src/domain/buying/execution/decide-step.ts', [decide], {
    'too-late-to-issue': {
      keeps: 'no credential is issued whose time is over',
      find: "if (isTooLateToIssue(facts, pay)) return fail('payment_token_expired')",
      replace: '',
    },
  }),
  ...guardsOf('src/domain/buying/execution/place/decide-reconcile.ts', [decide], {
    'revoke-before-the-end': {
      keeps: 'while a revoke has no answer nothing is concluded from the credential',
      find: 'return revoke && isUnsettled(revoke) ? decideReconcile(facts, revoke) : followCredential(facts, place)',
      replace: 'return revoke === undefined ? decideReconcile(facts, place) : followCredential(facts, place)',
    },
  }),
  ...guardsOf('src/domain/buying/execution/journal-effect.ts', [flows], {
    'handed-out-for-good': {
      keeps: 'a purchase whose token is out cannot be cancelled',
      find: 'locked.change({ past_no_return: true })\n  locked.addEffect({\n    ...blank(locked, {',
      replace: 'locked.addEffect({\n    ...blank(locked, {',
    },
  }),
  ...guardsOf('src/domain/buying/execution/apply-answer.ts', [times], {
    'revoked-after-the-merchant': {
      keeps: 'a revoke that comes after the merchant has authorized releases nothing',
      find: "if (hold && object.status === 'claimed') {",
      replace: "if (hold && object.status === 'declined') {",
      only: 'without a word',
    },
  }),
  ...guardsOf('src/domain/buying/execution/locked-cart.ts', [races], {
    'news-during-a-call': {
      keeps: 'what happens while the rail is asked is not missed',
      find: 'known === null || known.dueAt?.getTime() !== cart.due_at?.getTime()',
      replace: 'known === null',
      only: 'not lost',
    },
  }),
  ...guardsOf('src/domain/buying/execution/begin-intent.ts', [times], {
    'waits-for-its-token': {
      keeps: 'a purchase that waits for a token is bought in no other way',
      find: 'if (intent.pays_by_token) return await endTokenWait(ctx, loaded)',
      replace: '',
      only: 'never gets its token',
    },
  }),
  ...guardsOf('src/rails/sandbox/processor-answers.ts', [conformance], {
    'claimed-is-not-free': {
      keeps: 'a credential that a merchant has claimed is not one that nobody has used',
      find: "authorized: 'claimed',",
      replace: "authorized: 'authorized',",
    },
  }),
]
