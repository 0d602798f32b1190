import fc from 'fast-check'
import type { Sent } from '../client.ts'
import { type Command, command, decide, pick, sometimes } from './commands.ts'
import {
  canRetry,
  isUnknown,
  type KeyName,
  keyNames,
  type Model,
  type ModelCart,
  type ModelIntent,
  type ModelMethod,
  terminal,
} from './model.ts'
import { stepUpOf, usableMethod } from './predict-create.ts'
import {
  type Proof,
  predictApprove,
  predictCancel,
  predictDecline,
  predictReconcile,
} from './predict-decisions.ts'
import { predictRetry } from './predict-retry.ts'
import type { Real } from './real.ts'
import { watchRetry } from './watch-retry.ts'

export const keyArbitrary: fc.Arbitrary<KeyName> = fc.oneof(
  { weight: 14, arbitrary: fc.constant<KeyName>('person') },
  { weight: 4, arbitrary: fc.constant<KeyName>('agent') },
  { weight: 1, arbitrary: fc.constantFrom(...keyNames) },
)
/** Most commands that only a person may give come from one. */
const personArbitrary: fc.Arbitrary<KeyName> = fc.oneof(
  { weight: 14, arbitrary: fc.constant<KeyName>('person') },
  { weight: 1, arbitrary: fc.constantFrom(...keyNames) },
)
const index = fc.nat(200)
const idem = sometimes(5, fc.nat(2))
const isThere = ({ intents }: Readonly<Model>) => intents.length > 0

type Target = { key: KeyName; index: number; idem: number | null }

/** A command about one purchase, preferably one that `isPreferred`. */
function about(
  text: string,
  target: Target,
  isPreferred: (intent: ModelIntent) => boolean,
  build: (
    model: Model,
    intent: ModelIntent,
  ) => {
    verb: string
    body: object
    predict: () => ReturnType<typeof predictCancel>
    /** Sees the purchase before the request, and then the answer. */
    watch?: (real: Real) => Promise<(sent: Sent) => void>
  } | null,
): Command {
  return command(
    text,
    async (model, real) => {
      const intent = pick(model.intents, target.index, isPreferred)
      const built = intent && build(model, intent)
      if (!built) return
      const { verb, body, predict, watch } = built
      const look = await watch?.(real)
      const sent = await decide(model, real, {
        operation: verb,
        request: {
          path: `/v1/purchase_intents/${intent.id}/${verb}`,
          key: real.keys[target.key].token,
          idempotencyKey: target.idem === null ? null : `k${target.idem}`,
          body,
        },
        intent,
        predict,
      })
      look?.(sent)
    },
    isThere,
  )
}

const approve = fc
  .record({
    key: personArbitrary,
    index,
    idem,
    proof: fc.oneof(
      { weight: 6, arbitrary: fc.constant('right' as const) },
      {
        weight: 1,
        arbitrary: fc.constantFrom<Proof>('none', 'cvc_3_digit', 'cvc_4_digit', 'otp_right', 'otp_wrong'),
      },
    ),
    preference: fc.constantFrom<'prefer' | 'never' | 'require'>(
      'prefer',
      'prefer',
      'prefer',
      'never',
      'require',
    ),
    method: sometimes(8, index),
    seenOff: sometimes(6, fc.constantFrom(0, 0, 1, -5)),
  })
  .map((made) =>
    about(`approve ${JSON.stringify(made)}`, made, isAwaiting, (model, intent) => {
      const method = methodOf(model, made.method)
      const paying = method ?? intent.method ?? usableMethod(model, intent.profile)
      const proof = made.proof === 'right' ? rightProof(paying, made.preference) : made.proof
      const seen = made.seenOff === null ? null : (intent.question ?? intent).cap + made.seenOff
      const request = { ...made, method, proof, seenOff: seen === null || seen < 0 ? null : made.seenOff }
      const body = {
        approve: true,
        ...(method ? { profile_payment_method_id: method.id } : {}),
        ...(made.preference === 'prefer' ? {} : { agentic_credentials_preference: made.preference }),
        ...proofOf(proof),
        ...(request.seenOff === null ? {} : { max_allowed_amount: seen }),
      }
      return { verb: 'approve', body, predict: () => predictApprove(model, intent, request) }
    }),
  )

function rightProof(method: ModelMethod | null, preference: 'prefer' | 'never' | 'require'): Proof {
  const asked = method ? stepUpOf(method, preference) : 'none'
  if (asked === 'otp') return 'otp_right'
  if (asked === 'none' || !method) return 'none'
  return method.card.startsWith('amex') ? 'cvc_4_digit' : 'cvc_3_digit'
}

function proofOf(proof: Proof): object {
  if (proof === 'none') return {}
  if (proof === 'cvc_3_digit' || proof === 'cvc_4_digit') return { temporary_cvc_token_id: proof }
  return { payment_verification: { method: 'otp', code: proof === 'otp_right' ? '123456' : '000000' } }
}

const decline = fc.record({ key: personArbitrary, index, idem }).map((made) =>
  about(
    `decline ${JSON.stringify(made)}`,
    made,
    (intent) => isAwaiting(intent) && (intent.question !== null || made.index % 2 === 0),
    (model, intent) => ({
      verb: 'approve',
      body: { approve: false },
      predict: () => predictDecline(model, intent, made.key),
    }),
  ),
)

const cancel = fc
  .record({
    key: keyArbitrary,
    index,
    idem,
    carts: sometimes(2, fc.integer({ min: 1, max: 7 })),
    asking: fc.boolean(),
  })
  .map((made) =>
    about(
      `cancel ${JSON.stringify(made)}`,
      made,
      ({ status, nextAction }) =>
        made.index % 2 === 0
          ? !terminal.includes(status)
          : nextAction === 'merchant_sign_in' || nextAction === 'reapprove_price',
      (model, intent) => {
        // Preferably a purchase that asks a person, where the command is about those.
        const isAsking = made.asking || made.index % 2 !== 0
        const named = (isAsking && made.carts !== null && askingCarts(intent)) || cartsOf(intent, made.carts)
        const body = named ? { cart_ids: named.map(({ id }) => id) } : {}
        return { verb: 'cancel', body, predict: () => predictCancel(model, intent, { ...made, named }) }
      },
    ),
  )

const retry = fc
  .record({
    key: keyArbitrary,
    index,
    idem,
    carts: sometimes(2, fc.integer({ min: 1, max: 7 })),
    asking: fc.boolean(),
    method: sometimes(5, index),
  })
  .map((made) =>
    about(
      `retry ${JSON.stringify(made)}`,
      made,
      (intent) => {
        if (made.index % 3 !== 0) return isTriable(intent)
        return made.asking ? askingCarts(intent) !== null : isUnderWay(intent)
      },
      (model, intent) => {
        const named =
          (made.asking && made.index % 3 === 0 && askingCarts(intent)) || cartsOf(intent, made.carts)
        const method = methodOf(model, made.method)
        const body = {
          ...(named ? { cart_ids: named.map(({ id }) => id) } : {}),
          ...(method ? { profile_payment_method_id: method.id } : {}),
        }
        return {
          verb: 'retry',
          body,
          predict: () => predictRetry(model, intent, { ...made, named, method }),
          watch: (real) => watchRetry(real, { intent, body, by: made.key }),
        }
      },
    ),
  )

const reconcile = fc.record({ key: personArbitrary, index, idem, isPlaced: fc.boolean() }).map((made) =>
  about(
    `reconcile ${JSON.stringify(made)}`,
    made,
    ({ carts }) => carts.some(isUnknown),
    (model, intent) => {
      const cart = pick(intent.carts, made.index, isUnknown)
      if (!cart) return null
      const body = { cart_id: cart.id, outcome: made.isPlaced ? 'placed' : 'not_placed' }
      return {
        verb: 'reconcile',
        body,
        predict: () => predictReconcile(model, intent, { ...made, cart }),
      }
    },
  ),
)

/** The carts that a person is asked about; null when there are none. */
function askingCarts({ carts, question }: ModelIntent): ModelCart[] | null {
  const asking = carts.filter((cart) => cart.status === 'awaiting_merchant_auth' || cart === question?.cart)
  return asking.length === 0 ? null : asking
}

function isAwaiting({ status }: ModelIntent): boolean {
  return status === 'awaiting_approval'
}

/** Its carts are there, and none of them has failed for good. */
function isUnderWay({ status, carts }: ModelIntent): boolean {
  return !terminal.includes(status) && carts.length > 0
}

function isTriable({ status, carts }: ModelIntent): boolean {
  return status === 'failed' && carts.some(canRetry)
}

/** The carts whose bits are set; null for all, and where none is there yet. */
function cartsOf(intent: ModelIntent, bits: number | null): ModelCart[] | null {
  const named = bits === null ? [] : intent.carts.filter(({ id }, at) => id !== '' && (bits >> at) % 2 === 1)
  return named.length === 0 ? null : named
}

function methodOf(model: Model, at: number | null): ModelMethod | null {
  if (at === null) return null
  return pick(
    model.profiles.flatMap(({ methods }) => methods),
    at,
    ({ isDeleted }) => !isDeleted,
  )
}

export const decisionArbitraries: { weight: number; arbitrary: fc.Arbitrary<Command> }[] = [
  { weight: 15, arbitrary: approve },
  { weight: 3, arbitrary: decline },
  { weight: 5, arbitrary: cancel },
  { weight: 12, arbitrary: retry },
  { weight: 4, arbitrary: reconcile },
]
