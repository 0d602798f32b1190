import { type Guard, guardsOf } from './guard.ts'

const decideOffer = 'src/domain/buying/execution/offer/decide-offer.test.ts'
const decideStep = 'src/domain/buying/execution/decide-step.test.ts'
const unknownOutcome = 'test/flows/unknown-outcome.test.ts'
const decideReconcile = 'src/domain/buying/execution/place/decide-reconcile.test.ts'
const applyAnswer = 'src/domain/buying/execution/apply-answer.test.ts'
const nativePurchase = 'test/flows/native-purchase.test.ts'
const leases = 'src/domain/buying/execution/leases.test.ts'

const decideStranger = 'src/domain/buying/execution/place/decide-stranger.test.ts'

const railHolds = 'test/flows/rail-holds.test.ts'

/** The next step of a cart, and what is known of calls that may have landed. */
export const stepsGuards: readonly Guard[] = [
  ...guardsOf('src/platform/ids/derived-id.ts', ['src/platform/ids/derived-id.test.ts'], {
    'ids-of-parts-never-meet': {
      keeps: 'the ids of carts, orders and refunds of a purchase are all different',
      find: '/${part}`',
      replace: '/${part & 1}`',
    },
    'ids-of-parts-are-of-their-whole': {
      keeps: 'the ids of two purchases of one millisecond have parts of their own',
      find: 'whole}/$',
      replace: 'prefix}/$',
    },
  }),
  ...guardsOf('src/domain/buying/execution/place/decide-stranger.ts', [decideStranger], {
    'stranger-unpaid-confirmation-for-a-person': {
      keeps: 'a stranger that confirms and charges nothing is for a person',
      find: "if (state === 'done') return fail('outcome_unknown')",
      replace: "if (state === 'done') return { kind: 'succeed' }",
    },
    'stranger-may-release': {
      keeps: 'a stranger that refuses has time to release what it has authorized',
      find: "return mayRelease ? atLatest(verify(facts, place, hold.attempt), latest) : { kind: 'succeed' }",
      replace: "return { kind: 'succeed' }",
    },
    'stranger-revoked-before-the-end': {
      keeps: 'an attempt at a stranger ends only once its credential can charge nothing more',
      find: ': releaseHold(facts, [hold])',
      replace: ': uncharged(place)',
    },
    'stranger-given-up-in-its-time': {
      keeps: 'a purchase at a stranger that confirms and charges nothing ends in its time',
      find: 'return mayCharge ? atLatest(verify(facts, place, hold.attempt), latest)',
      replace: 'return mayCharge ? verify(facts, place, hold.attempt)',
    },
  }),
  ...guardsOf('src/domain/buying/execution/rail/rail-holds.ts', [railHolds], {
    'unknown-hold-is-found': {
      keeps: 'a hold at the rail that no row knows is named',
      find: "said[index] === 'authorized'",
      replace: "said[index] === 'never'",
    },
    'missing-hold-is-found': {
      keeps: 'a hold in a row that the rail does not have is named',
      find: "row?.hold_status === 'authorized' &&",
      replace: "row?.hold_status === 'failed' &&",
    },
  }),
  ...guardsOf('src/domain/buying/execution/offer/decide-offer.ts', [decideOffer], {
    'offer-within-the-cap': {
      keeps: 'no offer above the cap is accepted',
      find: 'asked.total > terms.maxAllowedAmount',
      replace: 'asked.total < 0n',
    },
    'offer-within-the-tolerance': {
      keeps: 'merchandise beyond the tolerance is asked about',
      find: 'asked.subtotal > tolerated',
      replace: 'asked.subtotal < 0n',
    },
    'offer-within-the-fee': {
      keeps: 'a fee above its allowance is not paid',
      find: 'asked.fulfillment > terms.feeAllowance',
      replace: 'asked.fulfillment < 0n',
    },
    'offer-in-the-currency': {
      keeps: 'an offer in another currency is not paid',
      find: 'asked.currency !== terms.currency',
      replace: "asked.currency === ''",
    },
    'offer-adds-up': {
      keeps: 'an offer whose parts do not make its total is not paid',
      find: ' && totalOf(asked) === total',
      replace: '',
    },
  }),
  ...guardsOf('src/domain/buying/execution/decide-step.ts', [decideStep], {
    'frozen-begins-nothing': {
      keeps: 'a frozen cart authorizes nothing',
      find: 'if (facts.isFrozen) return waitFrozen(facts)\n    return facts.isOfferAccepted',
      replace: 'return facts.isOfferAccepted',
    },
    'frozen-sends-nothing-again': {
      keeps: 'a frozen cart sends no authorization a second time',
      find: 'if (facts.isFrozen) return waitFrozen(facts)\n      if (pay.tries',
      replace: 'if (pay.tries',
    },
    'frozen-places-nothing': {
      keeps: 'a frozen cart places no order',
      find: "if (facts.isFrozen) return waitSeconds(facts, pace.sweepSeconds, 'frozen')\n  return sendAgain(facts, place",
      replace: 'return sendAgain(facts, place',
    },
    'unapproved-buys-nothing': {
      keeps: 'a cart buys only under an approval that stands',
      find: "if (!facts.mayBuy) return waitSeconds(facts, pace.sweepSeconds, 'person')",
      replace: '',
    },
    'over-buys-nothing': {
      keeps: 'a cart that is over begins nothing',
      find: 'if (!isLive(facts)) return isBoughtFromStranger(facts) ? followUp(facts) : compensate(facts, facts.holds)',
      replace: '',
    },
    'cleanup-buys-nothing': {
      keeps: 'a cart that was cancelled while it ran begins nothing',
      find: '!cart.isCleanup &&\n    ',
      replace: '',
    },
    'unsettled-first': {
      keeps: 'nothing begins while an earlier call may still land',
      find: 'if (unsettled) return decideReconcile(facts, unsettled)',
      replace: '',
    },
    'stale-holds-first': {
      keeps: 'a new attempt begins after the money of the last one is back',
      find: "if (stale.kind !== 'rest') return stale",
      replace: '',
    },
    'a-person-decides': {
      keeps: 'a cart whose outcome is unknown is left to a person',
      find: "if (cart.status === 'failed' && !cart.isOutcomeKnown) return { kind: 'rest' }",
      replace: '',
    },
    'charged-without-an-order': {
      keeps: 'charged and not placed is nothing that a machine decides',
      find: "if (isOpen && hold?.status === 'captured')",
      replace: 'if (isOpen && hold === undefined)',
    },
    'money-before-the-order': {
      keeps: 'no order is placed without money for it',
      find: "if (hold?.status !== 'authorized')\n    return fail(isGivenUp",
      replace: 'if (hold === null)\n    return fail(isGivenUp',
    },
    'money-that-lasts': {
      keeps: 'no order is placed on an authorization that is about to end',
      find: 'facts.now >= after(hold.expiresAt, -pace.holdMarginSeconds)',
      replace: 'facts.now < facts.now',
    },
    'sends-end': {
      keeps: 'an authorization that cannot be sent is given up',
      find: 'pay.tries >= pace.sendTriesMax || isOutOfPatience(facts, pay)',
      replace: 'isOutOfPatience(facts, pay)',
    },
    'orders-are-sent-so-often': {
      keeps: 'an order that cannot be sent is given up',
      find: 'place.tries >= pace.sendTriesMax || isOutOfPatience(facts, place)',
      replace: 'isOutOfPatience(facts, place)',
    },
    'refund-before-a-retry': {
      keeps: 'money that was charged for no order goes back',
      find: "return step.kind === 'rest' && taken ? refundCapture(facts, taken) : step",
      replace: 'return step',
      killers: [decideStep, unknownOutcome],
    },
  }),
  ...guardsOf('src/domain/buying/execution/place/decide-reconcile.ts', [decideReconcile], {
    'frozen-repeats-nothing': {
      keeps: 'a frozen cart repeats no call that was not found',
      find: "return facts.isFrozen ? waitSeconds(facts, pace.sweepSeconds, 'frozen') : sendAgain(facts, effect, send)",
      replace: 'return sendAgain(facts, effect, send)',
    },
    'closed-before-not-placed': {
      keeps: 'an order that was not found is closed before anybody says that it was not placed',
      find: "case 'not_found':\n      return close(facts, effect)",
      replace: "case 'not_found':\n      return { kind: 'settle', ...named(effect) }",
    },
    'proof-takes-time': {
      keeps: 'silence proves nothing while a call can still land',
      find: 'facts.now < effect.notBefore',
      replace: 'facts.now > facts.now',
    },
    'credential-before-not-placed': {
      keeps: 'where a merchant stays silent its credential is taken back first',
      find: "if (hold?.status === 'authorized' && !(facts.hasStrangers && hold.claimedAt !== null))\n    return releaseHold(facts, [hold])",
      replace: '',
    },
    'silent-merchant-charged': {
      keeps: 'a charge by a merchant that stays silent is nothing that a machine decides',
      find: "hold?.status === 'captured' && !isDecided",
      replace: 'hold === undefined && !isDecided',
    },
    'capture-of-a-running-cart': {
      keeps: 'a cart that is over captures nothing',
      find: "const isRunning = !facts.cart.isCleanup && facts.cart.status === 'in_progress'",
      replace: 'const isRunning = true',
    },
  }),
  ...guardsOf('src/domain/buying/execution/apply-answer.ts', [applyAnswer], {
    'not-sent-proves-nothing-twice': {
      keeps: 'that one sending failed proves nothing about an earlier one',
      find: 'if (effect.may_have_left) {',
      replace: 'if (effect.attempt < 0) {',
    },
  }),
  ...guardsOf('src/domain/buying/execution/current-attempt.ts', [applyAnswer], {
    'late-capture-is-no-charge': {
      keeps: 'money that was captured for a cart that is over is not counted as bought',
      find: "return isCurrent(locked, effect) && locked.cart.status === 'in_progress'",
      replace: 'return isCurrent(locked, effect)',
    },
    'earlier-attempts-are-not-current': {
      keeps: 'the answer to an earlier attempt changes nothing of the current one',
      find: 'return effect.attempt === locked.cart.attempt_number',
      replace: 'return effect.attempt <= locked.cart.attempt_number',
    },
  }),
  ...guardsOf('src/domain/buying/execution/journal-effect.ts', [nativePurchase], {
    'no-return-from-capture': {
      keeps: 'from its capture on a cart cannot be cancelled',
      find: "if (step === 'capture') locked.change({ past_no_return: true })",
      replace: '',
      killers: [applyAnswer],
    },
    'no-return-from-the-submit': {
      keeps: 'from the submit of a checkout on a cart cannot be cancelled',
      find: '  locked.change({ past_no_return: true })\n  const known',
      replace: '  const known',
      killers: [applyAnswer],
    },
  }),
  ...guardsOf('src/domain/buying/execution/next-call.ts', [nativePurchase], {
    'journalled-before-sent': {
      keeps: 'a call is in the journal before it leaves',
      find: "  await locked.flush()\n  return { kind: 'call', point, run, ...terms }",
      replace: "  return { kind: 'call', point, run, ...terms }",
    },
  }),
  ...guardsOf('src/domain/buying/execution/run-cart.ts', [nativePurchase], {
    'call-inside-the-lease': {
      keeps: 'no call leaves that could end after its lease',
      find: 'step.lease.assertHeld(isLong ? timing.renewMs + timing.marginMs : longestCallMs + timing.marginMs)',
      replace: '',
      killers: [leases],
    },
  }),
]
