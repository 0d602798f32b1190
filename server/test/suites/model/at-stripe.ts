import type {
  Call,
  HoldPage,
  PaymentRail,
  RailAnswer,
  RailObject,
  SentCall,
} from '../../../src/domain/buying/rails/port.ts'
import { createEgress } from '../../../src/platform/egress/egress.ts'
import { Secret } from '../../../src/platform/secrets/secret.ts'
import { createStripeRail } from '../../../src/rails/stripe/stripe.ts'
import { stripeTestKey } from '../../harness/stripe.ts'
import type { ModelRail, RailMemory } from './rail.ts'

type AtStripe = {
  rail: ModelRail
  /** How many holds are left. */
  held(): Promise<number>
  /** How many were made. */
  made(): number
  close(): Promise<void>
}

/**
 * Money of merchants of ours is held, captured and given back at Stripe's simulator, by the rail of live mode; credentials of strangers stay
 * with the rail in memory. What the bank refuses to capture is refused here.
 */
export function railAtStripe(others: ModelRail, url: string): AtStripe {
  const egress = createEgress({ allowLoopback: () => false, trustedOrigins: [url] })
  const stripe = createStripeRail({
    url,
    secretKey: new Secret(stripeTestKey),
    egress,
    publicUrl: null,
    cardholder: null,
    vault: null,
  })
  const isThere = (reference: string) => /^(pi|re)_/.test(reference)
  /** The rail is asked by the call as it was sent. */
  const sent = new Map<string, SentCall>()
  const refusedCaptures = new Set<string>()
  const refused: RailAnswer = { kind: 'refused', refusal: { code: 'declined', declineCode: 'do_not_honor' } }

  function sending<Input extends { key: string }>(
    step: 'authorize' | 'capture' | 'void' | 'refund',
    input: Input,
  ): Input {
    sent.set(input.key, { step, input } as unknown as SentCall) // its input is that of the step
    return input
  }

  const rail: ModelRail = {
    ...others,
    get refusesCaptures() {
      return others.refusesCaptures
    },
    set refusesCaptures(is) {
      others.refusesCaptures = is
    },
    authorize: async (input, call) => endless(await stripe.authorize(sending('authorize', input), call)),
    async capture(input, call) {
      if (!isThere(input.reference)) return await others.capture(input, call)
      if (others.refusesCaptures || refusedCaptures.has(input.key)) {
        refusedCaptures.add(input.key)
        return refused
      }
      return await stripe.capture(sending('capture', input), call)
    },
    void: (input, call) =>
      isThere(input.reference) ? stripe.void(sending('void', input), call) : others.void(input, call),
    refund: (input, call) =>
      isThere(input.reference) ? stripe.refund(sending('refund', input), call) : others.refund(input, call),
    get: async (kind, reference, call) =>
      endless(await (isThere(reference) ? stripe : others).get(kind, reference, call)),
    async ask(key, call) {
      if (refusedCaptures.has(key)) return refused
      const known = sent.get(key)
      return known ? endless(await stripe.ask(key, call, known)) : await others.ask(key, call)
    },
    close: (closed, call) => railOf(closed).close(closed, call),
    async memoryOf(purpose) {
      const [there, here] = [await paymentsFor(url, purpose), await others.memoryOf(purpose)]
      return {
        captured: here.captured + there.captured,
        refunded: here.refunded + there.refunded,
        captures: here.captures + there.captures,
        open: here.open + there.open,
      }
    },
  }

  function railOf(closed: Parameters<PaymentRail['close']>[0]): PaymentRail {
    if (closed.step === 'authorize') return stripe
    return closed.step === 'capture' && isThere(closed.input.reference) ? stripe : others
  }

  const made = () => [...sent.values()].filter(({ step }) => step === 'authorize').length
  return { rail, held: () => heldThere(stripe), made, close: () => egress.close() }
}

/** The time of a history stands still on another day than the simulator's, which says when a hold ends there. */
function endless<Answer extends object>(answer: Answer): Answer {
  if (!('value' in answer)) return answer
  const { heldUntil: _, ...value } = answer.value as RailObject // of all that is done here
  return { ...answer, value }
}

const call: Call = { mode: 'test', timeoutMs: 10_000 }

async function heldThere(stripe: PaymentRail): Promise<number> {
  let count = 0
  for (let page: string | null = null; ; ) {
    const listed: HoldPage | null | undefined = await stripe.list?.(
      { since: null, until: new Date(), page },
      call,
    )
    if (!listed) throw new Error('Stripe lists no holds')
    count += listed.holds.length
    if (listed.next === null) return count
    page = listed.next
  }
}

type Payment = { id: string; description: string; status: string; amount_received: number }

/** Read from the simulator's own memory, newest first: a history makes fewer payments than a page has. */
async function paymentsFor(url: string, purpose: string): Promise<RailMemory> {
  const payments = (await read<Payment>(`${url}/v1/payment_intents?limit=100`)).filter(
    ({ description }) => description === purpose,
  )
  const refunds = await Promise.all(
    payments.map(({ id }) => read<{ amount: number }>(`${url}/v1/refunds?limit=100&payment_intent=${id}`)),
  )
  const sum = (amounts: readonly number[]) => amounts.reduce((total, one) => total + one, 0)
  return {
    captured: sum(payments.map((one) => one.amount_received)),
    refunded: sum(refunds.flat().map(({ amount }) => amount)),
    captures: payments.filter(({ status }) => status === 'succeeded').length,
    open: payments.filter(({ status }) => status === 'requires_capture').length,
  }
}

async function read<Item>(url: string): Promise<Item[]> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${stripeTestKey}` } })
  return ((await answer.json()) as { data: Item[] }).data // a list of the simulator
}
