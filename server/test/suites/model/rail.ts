import { testCardOf } from '../../../src/domain/buyers/payment-methods/test-cards.ts'
import type {
  PaymentCard,
  PaymentRail,
  RailAnswer,
  RailObject,
  RailRefusal,
} from '../../../src/domain/buying/rails/port.ts'

type Held = {
  reference: string
  kind: 'authorization' | 'credential' | 'refund'
  amount: bigint
  captured: bigint
  refunded: bigint
  currency: string
  merchant: string
  /** `intent/cart`: the reference by which execution names the money's purpose. */
  purpose: string
  status: RailObject['status']
  /** Of a credential that is a card, its number in the vault. */
  record?: string
}

type Remembered =
  | { kind: 'done'; object: Held }
  | { kind: 'refused'; refusal: RailRefusal }
  | { kind: 'closed' }

/** Money as the rail remembers it, by purpose. */
export type RailMemory = { captured: number; refunded: number; captures: number; open: number }

/** A payment rail in this process: it answers at once, remembers every key, and forgets no capture. */
export type ModelRail = PaymentRail & {
  refusesCaptures: boolean
  /** A merchant charges a credential. */
  charge(input: {
    key: string
    credential: string
    amount: bigint
    merchant: string
  }): { reference: string } | RailRefusal
  /** The credential whose number the vault has under this name. */
  credentialOf(record: string): string
  memoryOf(purpose: string): Promise<RailMemory>
}

export function createModelRail(): ModelRail {
  const keys = new Map<string, Remembered>()
  const objects = new Map<string, Held>()
  let made = 0

  function open(
    kind: Held['kind'],
    input: {
      key: string
      card: PaymentCard
      amount: bigint
      currency: string
      merchant: string
      reference: string
      vaultOf?: string | undefined
    },
  ): RailAnswer {
    return once(input.key, () => {
      const decline = declineOf(input.card)
      if (decline !== null) return refusedFor('declined', decline)
      const reference = `${kind}_${++made}`
      const { amount, currency, merchant } = input
      const held: Held = {
        reference,
        kind,
        amount,
        captured: 0n,
        refunded: 0n,
        currency,
        merchant,
        purpose: input.reference,
        status: 'authorized',
        ...(input.vaultOf === undefined ? {} : { record: `record of ${reference}` }),
      }
      objects.set(reference, held)
      return { kind: 'done', object: held }
    })
  }

  /** The same key is the same effect, however often it is sent. */
  function once(key: string, effect: () => Remembered): RailAnswer {
    const known = keys.get(key) ?? effect()
    keys.set(key, known)
    if (known.kind === 'done') return { kind: 'done', value: shown(known.object) }
    return known.kind === 'closed' ? refusedFor('key_closed', null) : known
  }

  function change(key: string, reference: string, to: (held: Held) => RailRefusal | null): RailAnswer {
    return once(key, () => {
      const held = objects.get(reference)
      if (!held) return refusedFor('unknown_reference', null)
      const refusal = to(held)
      return refusal ? { kind: 'refused', refusal } : { kind: 'done', object: held }
    })
  }

  function release(held: Held): RailRefusal | null {
    if (held.status !== 'authorized') return { code: `already_${held.status}`, declineCode: null }
    held.status = 'voided'
    return null
  }

  function take(held: Held, amount: bigint): RailRefusal | null {
    if (held.status !== 'authorized') return { code: `already_${held.status}`, declineCode: null }
    if (amount > held.amount) return { code: 'over_limit', declineCode: null }
    held.captured = amount
    held.status = 'captured'
    return null
  }

  /** A refund is an object of its own. */
  function giveBack(held: Held | undefined, amount: bigint): Remembered {
    if (held?.status !== 'captured' || amount > held.captured - held.refunded)
      return refusedFor('not_refundable', null)
    held.refunded += amount
    if (held.refunded === held.captured) held.status = 'refunded'
    const reference = `refund_${++made}`
    const object: Held = { ...held, reference, kind: 'refund', amount, captured: 0n, refunded: 0n }
    objects.set(reference, { ...object, status: 'refunded' })
    return { kind: 'done', object: { ...object, status: 'refunded' } }
  }

  const rail: ModelRail = {
    refusesCaptures: false,
    authorize: async (input) => open('authorization', input),
    issueCredential: async (input) => open('credential', { ...input, amount: input.limit }),
    chargeCredential: () =>
      Promise.reject(new Error('no merchant of this suite charges over the rail itself')),
    capture: async ({ key, reference, amount }) =>
      change(key, reference, (held) =>
        rail.refusesCaptures ? { code: 'declined', declineCode: 'do_not_honor' } : take(held, amount),
      ),
    void: async ({ key, reference }) => change(key, reference, release),
    revoke: async ({ key, reference }) => change(key, reference, release),
    refund: async ({ key, reference, amount }) =>
      once(key, () => giveBack(objects.get(reference.replace(/^capture_of_/, '')), amount)),
    get: async (_kind, reference) => {
      const held = objects.get(reference)
      return held
        ? { kind: 'done', value: shown(held) }
        : { kind: 'not_now', reason: 'no_object', retryAfterSeconds: null }
    },
    ask: async (key) => remembered(keys.get(key)),
    close: async ({ input: { key } }) => {
      const known: Remembered = keys.get(key) ?? { kind: 'closed' }
      keys.set(key, known)
      return remembered(known)
    },
    charge({ key, credential, amount, merchant }) {
      const answer = change(key, credential, (held) =>
        held.merchant === merchant ? take(held, amount) : { code: 'wrong_merchant', declineCode: null },
      )
      if (answer.kind === 'done') return { reference: answer.value.captureReference ?? '' }
      return answer.kind === 'refused' ? answer.refusal : { code: 'unknown', declineCode: null }
    },
    credentialOf: (record) => record.replace(/^record of /, ''),
    async memoryOf(purpose) {
      const all = [...objects.values()].filter((held) => held.purpose === purpose)
      const sum = (of: (held: Held) => bigint) => Number(all.reduce((total, held) => total + of(held), 0n))
      return {
        captured: sum(({ captured }) => captured),
        refunded: sum(({ refunded }) => refunded),
        captures: all.filter(({ status }) => status === 'captured').length,
        open: all.filter(({ status }) => status === 'authorized').length,
      }
    },
  }
  return rail
}

function refusedFor(code: string, declineCode: string | null): { kind: 'refused'; refusal: RailRefusal } {
  return { kind: 'refused', refusal: { code, declineCode } }
}

function remembered(known: Remembered | undefined) {
  if (!known) return { kind: 'not_found' } as const
  return known.kind === 'done' ? ({ kind: 'done', value: shown(known.object) } as const) : known
}

function shown(held: Held): RailObject {
  return {
    reference: held.reference,
    status: held.status,
    amount: held.amount,
    capturedAmount: held.captured,
    currency: held.currency,
    captureReference: held.captured > 0n ? `capture_of_${held.reference}` : null,
    ...(held.record === undefined ? {} : { record: held.record }),
  }
}

function declineOf({ testCard }: PaymentCard): string | null {
  if (testCard === null || testCardOf(testCard) === null) return 'invalid_card'
  if (testCard.endsWith('issuer_declined')) return 'do_not_honor'
  return testCard.endsWith('insufficient_funds') ? 'insufficient_funds' : null
}
