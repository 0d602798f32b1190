import type { Fields } from '../fields.ts'

type Status =
  | 'created'
  | 'pending_approval'
  | 'requires_action'
  | 'approved'
  | 'denied'
  | 'expired'
  | 'canceled'
  | 'succeeded'
  | 'failed'

/** A request to spend, as the wallet remembers it. */
export type SpendRequest = {
  readonly id: string
  readonly wallet: string
  /** What was asked for, as it was sent. */
  readonly asked: Fields
  readonly amount: number
  readonly currency: string
  readonly createdAtMs: number
  status: Status
  /** With `requires_action`: whether it goes on once its person has done it. */
  goesOn: boolean
  charged: number
  refunded: number
  /** Shown once its person has approved it. */
  readonly card: {
    readonly number: string
    readonly cvc: string
    readonly exp_month: number
    readonly exp_year: number
  }
}

/** A sign-in that a program has begun, and its person has to confirm. */
type SignIn = {
  readonly userCode: string
  state: 'pending' | 'confirmed' | 'refused'
  readonly untilMs: number
}

/** How the next call of this kind is disturbed. */
export type Fault = {
  readonly operation: string
  readonly how: 'lose_answer' | 'drop_request' | 'further_page' | `status=${number}`
}

export type Memory = {
  readonly requests: Map<string, SpendRequest>
  /** The request that each idempotency key has made. */
  readonly byKey: Map<string, string>
  readonly signIns: Map<string, SignIn>
  /** Access tokens, and whose wallet each opens. */
  readonly tokens: Map<string, string>
  readonly refreshTokens: Map<string, string>
  /** Wallets that have nothing to pay with. */
  readonly emptyWallets: Set<string>
  /** What was told about each charge by its key; null: the key is closed. */
  readonly charges: Map<string, { readonly status: number; readonly answer: object } | null>
  /** How programs have said that purchases went. */
  readonly observations: Fields[]
  readonly log: { operation: string; id: string; status: Status }[]
  readonly faults: Fault[]
  aheadMs: number
}

export function emptyMemory(): Memory {
  return {
    requests: new Map(),
    byKey: new Map(),
    signIns: new Map(),
    tokens: new Map(),
    refreshTokens: new Map(),
    emptyWallets: new Set(),
    charges: new Map(),
    observations: [],
    log: [],
    faults: [],
    aheadMs: 0,
  }
}

export function nowOf({ aheadMs }: Memory): number {
  return Date.now() + aheadMs
}

const approvalMs = 600_000
const cardMs = 43_200_000

/** What time does: nobody decides later than ten minutes after the request, and a card is good for twelve hours. */
export function passTime(memory: Memory): void {
  const now = nowOf(memory)
  for (const request of memory.requests.values()) {
    const age = now - request.createdAtMs
    if (isUndecided(request) && age >= approvalMs) request.status = 'expired'
    if (request.status === 'approved' && age >= cardMs) request.status = 'expired'
  }
}

export function isUndecided({ status }: Pick<SpendRequest, 'status'>): boolean {
  return status === 'created' || status === 'pending_approval' || status === 'requires_action'
}

const dayMs = 86_400_000

/** Which limit of the wallet a further request would exceed; null: none. */
export function limitOf(memory: Memory, wallet: string, amount: number): string | null {
  const own = [...memory.requests.values()].filter((one) => one.wallet === wallet)
  const spentSince = (days: number) =>
    own
      .filter(({ createdAtMs, status }) => nowOf(memory) - createdAtMs < days * dayMs && spends(status))
      .reduce((sum, one) => sum + one.amount, 0)
  if (amount > 50_000) return 'amount_too_large'
  if (spentSince(1) + amount > 50_000) return 'daily_limit_exceeded'
  if (spentSince(30) + amount > 2_000_000) return 'monthly_limit_exceeded'
  const active = own.filter((one) => isUndecided(one) || one.status === 'approved')
  return active.length >= 30 ? 'too_many_active_requests' : null
}

function spends(status: Status): boolean {
  return status === 'approved' || status === 'succeeded'
}
