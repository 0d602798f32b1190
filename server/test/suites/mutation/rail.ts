import { type Guard, guardsOf } from './guard.ts'

const conformance = 'test/conformance/sandbox-rail.test.ts'
const decideNotNow = 'src/domain/buying/execution/decide-not-now.test.ts'
const applyNotNow = 'src/domain/buying/execution/apply-not-now.test.ts'
const decideRefund = 'src/domain/buying/execution/refund/decide-refund.test.ts'
const railCircuit = 'src/domain/buying/execution/rail/rail-circuit.test.ts'
const railNotNow = 'test/flows/rail-not-now.test.ts'

/** A rail that turns calls away decides nothing, and is left alone when it fails. */
export const railGuards: readonly Guard[] = [
  ...guardsOf('src/rails/sandbox/processor-answers.ts', [conformance], {
    'turned-away-is-no-answer': {
      keeps: 'a call that the rail turned away did nothing, and is no refusal and no uncertainty',
      find: 'return notNowOf(sent) ?? outcomeOf(sent.status, sent.body)',
      replace: 'return outcomeOf(sent.status, sent.body)',
    },
    'refusals-are-listed': {
      keeps: 'an undocumented code ends no purchase',
      find: '!isRefusal(code)) return',
      replace: "typeof code !== 'string') return",
    },
    'only-the-rail-knows-nothing-of-a-key': {
      keeps: 'a path without a server does not prove that a call never arrived',
      find: "return notNow.reason === 'no_object' ? { kind: 'not_found' } : notNow",
      replace: "return notNow.reason === 'misrouted' ? { kind: 'not_found' } : notNow",
    },
  }),
  ...guardsOf('src/rails/sandbox/close-key.ts', [conformance], {
    'forgotten-keys-made-something': {
      keeps: 'a rail that has forgotten a key does not prove that nothing was made under it',
      find: "if (known.kind !== 'not_found' && known.kind !== 'refused') return known",
      replace: "if (known.kind !== 'refused') return known",
    },
    'closing-releases-what-was-forgotten': {
      keeps: 'no hold is left behind under a key that was closed',
      find: 'const came = await releaseMade(processor, key, next)',
      replace: 'const came = cameOf(await readMade(processor, key.repeat(2), next()))',
    },
    'closed-captures-never-land': {
      keeps: 'a capture that a rail cannot close by its key is closed with its hold',
      find: "if (sent.step === 'capture') return await closeCapture(processor, sent.input, next)",
      replace: "if (sent.step === 'capture') return { kind: 'closed' }",
    },
  }),
  ...guardsOf('src/domain/buying/execution/step.ts', [decideNotNow], {
    'left-alone-until-its-time': {
      keeps: 'a callee that asks to be left alone is left alone',
      find: 'const until = putOff !== null && putOff.until > at ? putOff.until : at',
      replace: 'const until = at',
    },
    'retry-after-is-bounded': {
      keeps: 'a callee that asks to be left alone is not left alone for ever',
      find: 'Math.min(retryAfterSeconds ?? 0, pace.retryAfterMaxSeconds)',
      replace: '(retryAfterSeconds ?? 0)',
    },
  }),
  ...guardsOf('src/domain/buying/execution/decide-step.ts', [decideNotNow], {
    'patience-ends': {
      keeps: 'a purchase that cannot be charged ends, with nothing charged',
      find: 'pay.tries >= pace.sendTriesMax || isOutOfPatience(facts, pay)',
      replace: 'pay.tries >= pace.sendTriesMax',
    },
    'captured-while-the-hold-lasts': {
      keeps: 'no order stays confirmed and unpaid once its hold is over',
      find: "if (capture !== null && facts.now >= hold.expiresAt) return fail('internal_error', { isRetrySame: true })",
      replace: '',
    },
  }),
  ...guardsOf('src/domain/buying/execution/place/decide-reconcile.ts', [decideNotNow], {
    'late-capture-is-closed-first': {
      keeps: 'a capture that may have arrived is closed at the rail before its order is given up',
      find: 'return isRunning && !isOver ?',
      replace: 'return isRunning ?',
    },
  }),
  ...guardsOf('src/domain/buying/execution/apply-answer.ts', [applyNotNow], {
    'turned-away-uses-no-try': {
      keeps: 'being turned away uses up no try',
      find: 'tries: Math.max(0, effect.tries - 1), put_off',
      replace: 'put_off',
    },
    'unpaid-order-is-cancelled': {
      keeps: 'an order whose capture failed for good is cancelled, and its merchant sees it',
      find: "capture.state !== 'done')\n    await markOrderPaid(locked.ctx, order, 'failed')",
      replace: "capture.state === 'done')\n    await markOrderPaid(locked.ctx, order, 'failed')",
      killers: [railNotNow],
      only: 'until its hold is over',
    },
  }),
  ...guardsOf('src/domain/buying/execution/rail/apply-reading.ts', [applyNotNow], {
    'released-under-another-key': {
      keeps: 'a release that was refused is not repeated under the key that stands for the refusal',
      find: 'key: effectKey(locked.cartId, effect.attempt, effect.step, number),',
      replace: '',
    },
    'released-again-only-while-it-stands': {
      keeps: 'no second release of a hold that the rail has not said to stand',
      find: "object?.status === 'authorized' && release?.state === 'refused'",
      replace: "release?.state === 'refused'",
    },
  }),
  ...guardsOf('src/domain/buying/execution/refund/decide-refund.ts', [decideRefund], {
    'refund-turned-away-has-not-left': {
      keeps: 'a refund whose question was turned away may still have arrived',
      find: '...later(wasAsked, 0)',
      replace: '...later(false, 0)',
    },
  }),
  ...guardsOf('src/domain/buying/execution/rail/rail-circuit.ts', [railCircuit], {
    'circuit-opens': {
      keeps: 'a rail that fails is left alone',
      find: 'this.#failing.size >= circuitPace.failuresMax',
      replace: 'this.#failing.size < 0',
    },
    'circuit-counts-calls-not-failures': {
      keeps: 'one call that always fails holds up no other',
      find: 'this.#failing.add(key)',
      replace: 'this.#failing.add(key + this.#failing.size)',
    },
    'one-call-finds-out': {
      keeps: 'when the time of an open circuit is over, one call tries the rail and not all at once',
      find: 'return open.probe !== null && nowMs < open.probe.untilMs ? 1 + random() : 0',
      replace: 'return 0',
    },
    'circuit-of-its-time': {
      keeps: 'a call from before the circuit opened does not close it',
      find: 'if (era !== this.#era) return',
      replace: '',
    },
  }),
  ...guardsOf('src/domain/buying/execution/rail/guarded-rail.ts', [railCircuit], {
    'held-back-calls-are-not-made': {
      keeps: 'while the circuit is open the rail is not called',
      find: "if (typeof pass === 'number')\n      return",
      replace: "if (typeof pass === 'string')\n      return",
    },
  }),
]
