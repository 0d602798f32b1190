import { canCancelCart, canRetryCart } from '../intents/cart.ts'
import { cartMachine, isTerminalCart } from '../intents/machine.ts'
import { atStage, failureOf, type LoadedCart } from '../intents/public.ts'
import { timing } from '../rails/timing.ts'
import { advance } from './advance.ts'
import { type CartState, NoSuchRail, untouched } from './cart-state.ts'
import { judgeEnd } from './judge.testing.ts'
import type { Answered, Input, Next, Outbound } from './messages.ts'
import { channelOf, type Kind, Outside, unheard, wayOf } from './outside.testing.ts'
import { answerQuestion, declinePayment, type Rows, wrongQuestions } from './payer.testing.ts'
import { base } from './states.testing.ts'
import { randomOf } from './world.testing.ts'

type Decided = ReturnType<typeof advance>

/** A fault that is planted between the core and the world. */
export type Plant = {
  readonly turn?: (turn: Decided, before: CartState) => Decided
  readonly answer?: (answer: Answered) => Answered
  readonly state?: (state: CartState) => CartState
  readonly honorsNoLease?: boolean
}

type Later = { readonly atMs: number; readonly run: () => void }

const leaseMs = timing.leaseSeconds * 1000
const begun = Date.parse('2026-06-01T12:00:00Z')

/** One cart from its beginning to its end: workers that die and come back, calls that get lost, people who change their mind. */
class Life {
  readonly problems: string[] = []
  /** How many calls were decided on. */
  calls = 0
  readonly outside: Outside
  readonly rows: Rows
  readonly #random: () => number
  readonly #kind: Kind
  readonly #plant: Plant
  #nowMs = begun
  #leaseUntilMs: number | null = null
  #token = 0
  #isFrozen = false
  /** Whether the process that works on it can call each rail, or that of the account alone. */
  #hasEveryRail = true
  #later: Later[] = []

  constructor(seed: number, kind: Kind, plant: Plant = {}) {
    this.#random = randomOf(seed)
    this.#kind = kind
    this.#plant = plant
    const cap = base.cart.max_allowed_amount
    this.outside = new Outside(this.#random, kind, { cap, problems: this.problems })
    const channel = channelOf[kind]
    const isOurs = kind === 'native' || kind === 'token'
    const merchant_account_id = isOurs ? base.cart.merchant_account_id : null
    const started = { status: 'created', started_at: null, lease_until: null, due_at: this.#now } as const
    const cart = { ...base.cart, ...started, channel, merchant_account_id, created_at: this.#now }
    this.rows = { intent: base.intent, cart, effects: [], holds: [], fundings: [] }
  }

  get #now(): Date {
    return new Date(this.#nowMs)
  }

  #chance(share: number): boolean {
    return this.#random() < share
  }

  /** One thing happens, whatever it is. */
  happen(): void {
    const dice = this.#random()
    if (dice < 0.5) this.#work()
    else if (dice < 0.66) this.#pass(1 + this.#random() * 40)
    else if (dice < 0.72) this.#pass(60 + this.#random() * 7200)
    else if (dice < 0.82) this.#others()
    else if (dice < 0.87) this.#freeze(!this.#isFrozen)
    else if (dice < 0.91) this.#cancel()
    else if (dice < 0.92) declinePayment(this.rows, this.#now, this.#leaseUntilMs)
    else if (dice < 0.95) this.#retry()
    else if (dice < 0.96) answerQuestion(this.rows, this.#now)
    else if (dice < 0.97) this.outside.rails.change()
    else this.#reconcile()
  }

  /** Nothing goes wrong any more: everything comes to its end. */
  end(): void {
    this.outside.hasFaults = false
    this.#freeze(false)
    for (let count = 0; count < 400; count++) {
      if (count % 4 === 0) this.#others()
      this.#reconcile()
      const { cart } = this.rows
      if (this.#isDue()) this.#work()
      else if (cart.due_at === null && isTerminalCart(cart.status) && this.#later.length === 0) {
        if (cart.outcome_known || cart.status !== 'failed') return
      } else this.#pass(Math.max(1, ((cart.due_at?.getTime() ?? this.#nowMs) - this.#nowMs) / 1000))
      if (this.#leaseUntilMs !== null) this.#pass(leaseMs / 1000)
    }
    this.problems.push(`it never ends: ${this.rows.cart.status} ${this.rows.cart.stage}`)
  }

  #pass(seconds: number): void {
    this.#nowMs += seconds * 1000
    for (;;) {
      const due = this.#later.find(({ atMs }) => atMs <= this.#nowMs)
      if (!due) return
      this.#later = this.#later.filter((one) => one !== due)
      due.run()
    }
  }

  #after(ms: number, run: () => void): void {
    this.#later.push({ atMs: this.#nowMs + ms, run })
  }

  #freeze(isFrozen: boolean): void {
    if (this.#isFrozen && !isFrozen) this.#wake()
    this.#isFrozen = isFrozen
  }

  #wake(): void {
    const { cart } = this.rows
    if (cart.due_at !== null) this.rows.cart = { ...cart, due_at: this.#now }
  }

  #others(): void {
    // A rail reports what happened on a card, and that makes its cart due.
    if (this.outside.live(this.#now, this.rows)) this.rows.cart = { ...this.rows.cart, due_at: this.#now }
    // News of a merchant makes the cart due.
    if (this.outside.hasFaults ? this.#chance(0.7) : !isTerminalCart(this.rows.cart.status)) this.#wake()
  }

  #cancel(): void {
    const { cart } = this.rows
    if (!canCancelCart(cart)) return
    const order = cart.order_row_id === null ? null : this.outside.orders.get(cart.order_row_id)
    if (order && order.status !== 'awaiting') return
    if (order) order.status = 'cancelled'
    const heldUntil =
      this.#leaseUntilMs !== null && this.#leaseUntilMs > this.#nowMs ? this.#leaseUntilMs : null
    const isBegun = cart.status !== 'created'
    this.rows.cart = {
      ...cart,
      status: 'cancelled',
      completed_at: this.#now,
      question: null,
      ...atStage({ kind: isBegun ? 'cleanup' : 'none' }),
      due_at: isBegun ? new Date(heldUntil ?? this.#nowMs) : null,
    }
    this.rows.intent = { ...this.rows.intent, status: 'cancelled' }
  }

  #retry(): void {
    const { cart } = this.rows
    if (!canRetryCart(cart)) return
    this.rows.cart = {
      ...cart,
      status: 'created',
      ...atStage({ kind: 'none' }),
      attempt_number: cart.attempt_number + 1,
      hold: null,
      offer: null,
      order_row_id: null,
      order_url: null,
      order_id: null,
      transaction_id: null,
      failure: null,
      past_no_return: false,
      due_at: this.#now,
      lease_until: null,
      started_at: null,
      completed_at: null,
    }
    this.#leaseUntilMs = null
    this.rows.intent = { ...this.rows.intent, status: 'approved', next_action: null }
  }

  /** A person looks for the truth, an hour later. */
  #reconcile(): void {
    const { cart, holds } = this.rows
    if (cart.status !== 'failed' || cart.outcome_known) return
    this.#pass(3600)
    const attempt = cart.attempt_number
    const isPlaced = this.outside.isPlaced(attempt, this.rows)
    const hold = holds.find((one) => one.attempt === attempt)
    const charged =
      hold?.status === 'captured' ? hold.captured_amount : this.outside.takenOf(attempt, this.rows)
    const common = { ...atStage({ kind: 'cleanup' }), outcome_known: true, due_at: this.#now }
    this.rows.cart = isPlaced
      ? { ...cart, ...common, status: 'succeeded', actual_amount: charged, failure: null }
      : {
          ...cart,
          ...common,
          past_no_return: false,
          failure: failureOf('outcome_unknown', { retry_policy: 'same' }),
        }
    this.rows.intent = { ...this.rows.intent, status: isPlaced ? 'succeeded' : 'failed' }
  }

  #isDue(): boolean {
    const { due_at } = this.rows.cart
    const isFree = this.#leaseUntilMs === null || this.#leaseUntilMs <= this.#nowMs
    return due_at !== null && due_at.getTime() <= this.#nowMs && isFree
  }

  /** A worker claims the cart, and goes on until it must wait, or dies. */
  #work(): void {
    if (!this.#isDue()) return
    this.#token += 1
    const token = this.#token
    this.#leaseUntilMs = this.#nowMs + leaseMs
    this.#hasEveryRail = !this.outside.hasFaults || this.#chance(0.8)
    let last = this.#look(token, { kind: 'looked' }, null)
    for (let calls = 0; last?.next?.kind === 'call'; calls++) {
      if (calls > 60) return void this.problems.push('it calls for ever')
      const answer = this.#call(token, last.state, last.next.call)
      if (answer === null) return
      last = this.#look(
        token,
        { kind: 'answered', answer: this.#plant.answer?.(answer) ?? answer },
        last.state,
      )
    }
  }

  /** A transaction; null: the lease is lost, or the process cannot call the rail that holds the money. */
  #look(token: number, input: Input, before: CartState | null): Decided | null {
    if (token !== this.#token && !this.#plant.honorsNoLease) return null
    try {
      const isBlind = input.kind === 'looked' && !this.#canCallRails()
      const turn = this.#advance(input, before)
      if (isBlind) this.problems.push('a process decided about money at a rail that it cannot call')
      return turn
    } catch (error) {
      if (!(error instanceof NoSuchRail)) throw error
      if (this.#hasEveryRail) this.problems.push(error.message)
      this.rows.cart = { ...this.rows.cart, due_at: new Date(this.#nowMs + 5_000) }
      this.#leaseUntilMs = null
      return null
    }
  }

  /** Whether the process can call every rail that holds money. */
  #canCallRails(): boolean {
    const { current } = this.outside.rails
    const open = this.rows.holds.filter(({ status }) => status === 'authorized')
    return this.#hasEveryRail || open.every(({ rail }) => rail === current)
  }

  #advance(input: Input, before: CartState | null): Decided {
    const loaded = this.#load(before)
    let turn = this.#plantIn(advance(loaded, input), loaded)
    for (let count = 0; turn.next?.kind === 'command'; count++) {
      if (count > 60) throw new Error('commands without an end')
      turn = this.#plantIn(
        advance(turn.state, { kind: 'done', done: this.outside.carryOut(turn.state, turn.next.command) }),
        loaded,
      )
    }
    if (turn.next === null) throw new Error('neither goes on nor rests')
    this.#commit(turn.state, turn.next)
    return turn
  }

  #plantIn(turn: Decided, before: CartState): Decided {
    return this.#plant.turn?.(turn, before) ?? turn
  }

  #load(before: CartState | null): CartState {
    const { intent, cart, effects, holds, fundings } = this.rows
    const { rails } = this.outside
    const way = wayOf(this.#kind)
    const state: CartState = {
      ...base,
      ...untouched,
      now: this.#now,
      intent,
      cart,
      effects: before?.effects ?? effects,
      holds: before?.holds ?? holds,
      fundings: before?.fundings ?? fundings,
      isFrozen: this.#isFrozen,
      isWoken: before === null || before.cart.due_at?.getTime() !== cart.due_at?.getTime(),
      means: {
        ways: { [cart.channel]: way },
        handedOver: way,
        offered: [cart.channel],
        rail: rails.current,
        rails: this.#hasEveryRail ? rails.names : [rails.current],
        asksByCall: [],
        cardless: [],
        wallets: {},
        prefunded: this.#kind === 'card' ? rails.names : [],
        leaseMs: (this.#leaseUntilMs ?? this.#nowMs) - this.#nowMs,
      },
      known: {},
    }
    return this.#plant.state?.(state) ?? state
  }

  #commit({ intent, cart, effects, holds, fundings, writes, sayings }: CartState, next: Next): void {
    const truth = this.rows.cart
    let { status } = truth
    for (const { cart: changes } of sayings) {
      const to = changes.status ?? status
      if (to !== status && !(Object.values(cartMachine[status]) as string[]).includes(to))
        this.problems.push(`it went from ${status} to ${to}`)
      status = to
    }
    const isResting = next.kind === 'rest' || next.kind === 'yield'
    const due_at = next.kind === 'rest' ? next.until : next.kind === 'yield' ? this.#now : cart.due_at
    if (isResting) this.#leaseUntilMs = null
    this.rows.cart = { ...cart, due_at }
    this.rows.intent = isTerminalCart(cart.status) ? { ...intent, status: cart.status as 'failed' } : intent // of one cart the end is the purchase's
    this.rows.effects = effects
    this.rows.holds = holds
    this.rows.fundings = fundings
    this.outside.settleNews(writes)
    for (const write of writes) {
      if (write.kind !== 'order_paid') continue
      const order = this.outside.orders.get(write.orderId)
      if (!order) this.problems.push('an order was paid for that nobody has')
      else order.payment = write.standing
    }
    if (next.kind === 'rest') this.problems.push(...wrongQuestions(this.rows, this.#now))
    if (next.kind !== 'call') return
    this.calls += 1
    this.outside.rails.judge(next.call)
    this.#judgeCall(truth, next.call)
  }

  #judgeCall(cart: LoadedCart, call: Outbound): void {
    if (call.kind !== 'rail' && call.kind !== 'place') return
    const step = call.kind === 'place' ? 'place' : call.step
    const begins = step === 'authorize' || step === 'issue_credential' || step === 'place'
    if (this.#isFrozen && begins) this.problems.push(`${step} began while frozen`)
    // What is behind a card is captured once its merchant has taken it.
    const mayCapture = this.#kind === 'card' && cart.status === 'succeeded'
    if (isTerminalCart(cart.status) && (begins || (step === 'capture' && !mayCapture)))
      this.problems.push(`${step} of a cart that is ${cart.status}`)
    const effect = this.rows.effects.find((one) => one.step === step && one.attempt === call.attempt)
    if (effect?.state !== 'sent') this.problems.push(`${step} left and is not in the journal`)
  }

  /** The answer as the worker hears it; null: the worker hears none, because it is dead or its lease has passed to another. */
  #call(token: number, state: CartState, call: Outbound): Answered | null {
    const run = () => this.outside.answer(state, call)
    const isSending = call.kind === 'rail' || call.kind === 'place'
    const dice = this.outside.hasFaults ? this.#random() : 1
    this.#pass(this.#random() * (this.outside.hasFaults ? 2 : 0.2))
    if (dice < 0.05) {
      // It dies before the call, or is so slow that the call leaves at the end of its lease.
      const leftMs = (this.#leaseUntilMs ?? 0) - this.#nowMs - call.longestCallMs - timing.marginMs
      if (isSending && leftMs > 0 && this.#chance(0.5))
        this.#after(leftMs + this.#random() * call.longestCallMs, () => {
          const answer = run()
          // It may wake up once another worker has the cart: then nothing of what it learned counts.
          const wakesAfterMs = this.#chance(0.5) ? 0 : this.#random() * 90_000
          this.#after(wakesAfterMs, () => this.#look(token, { kind: 'answered', answer }, state))
        })
      return null
    }
    if (dice < 0.1) {
      run()
      return null
    }
    if (dice < 0.16) {
      if (isSending) this.#after(this.#random() * call.longestCallMs, run)
      return unheard(call, { kind: 'unknown' })
    }
    if (dice < 0.22) {
      run()
      return unheard(call, { kind: 'unknown' })
    }
    if (dice < 0.26 && isSending) return unheard(call, { kind: 'not_sent', retryable: true })
    if (dice < 0.32) return unheard(call, { kind: 'not_now', reason: 'busy', retryAfterSeconds: 7 })
    return run()
  }
}

/** What a life came to: what must not have happened in it, and how it went. */
type Lived = {
  readonly problems: readonly string[]
  readonly status: LoadedCart['status']
  readonly attempts: number
  readonly calls: number
}

export function live(seed: number, kind: Kind, plant: Plant = {}): Lived {
  const life = new Life(seed, kind, plant)
  const inputs = 3 + (seed % 28)
  for (let count = 0; count < inputs; count++) life.happen()
  life.end()
  const { status, attempt_number: attempts } = life.rows.cart
  const problems = [...life.problems, ...judgeEnd(life.rows.cart, life.outside, kind)]
  return { problems, status, attempts, calls: life.calls }
}
