import { setTimeout as delay } from 'node:timers/promises'
import { type RepairedCart, selectRepairedCarts } from '../../domain/buying/execution/collisions.sql.ts'
import {
  type CollidingRefund,
  findCollidingRefunds,
  findStuckCarts,
  namesOf,
  railsByMode,
  repairWork,
  type StuckCart,
} from '../../domain/buying/execution/public.ts'
import type { PaymentRail } from '../../domain/buying/execution/rail/port.ts'
import { wakeCarts } from '../../domain/buying/intents/writes.sql.ts'
import type { Parts } from '../../parts.ts'
import type { Config } from '../../platform/config/config.ts'
import { noFaults } from '../../platform/faults/faults.ts'
import { createLog } from '../../platform/logs/logs.ts'
import { createMetrics } from '../../platform/metrics/metrics.ts'
import { createWorker } from '../../platform/work/worker.ts'
import { CommandFailure } from '../failure.ts'
import { openTestRail } from '../open-rail.ts'

/** What the rail says about the hold that a stuck attempt asked for. */
export type HeldAtRail =
  | { kind: 'held' | 'released'; reference: string; amount: number; currency: string }
  | { kind: 'nothing' | 'unknown' }

export type RepairedCollision = StuckCart & {
  /** Before the repair. */
  held: HeldAtRail
  /**
   * Null where nothing was to be changed. `ended`: the attempt failed, and nothing is held for it any more. `waits`: not yet; run it
   * again.
   */
  result: { kind: 'ended'; canRetry: boolean } | { kind: 'waits'; status: string } | null
}

export type CollisionReport = { carts: RepairedCollision[]; refunds: CollidingRefund[] }

/** A lease that a worker may still hold, its longest call, and the rail's answer at a second try. */
const patienceMs = 60_000
const lookMs = 250
const call = { mode: 'test', timeoutMs: 8_000 } as const

/** Finds the collisions, asks the rail about them and, with `apply`, ends them. */
export async function repairCollisions(
  parts: Parts,
  config: Pick<Config, 'railUrl'>,
  options: { apply: boolean; operator: string; patienceMs?: number },
): Promise<CollisionReport> {
  const [stuck, refunds] = await Promise.all([
    findStuckCarts(parts.pools.read),
    findCollidingRefunds(parts.pools.read),
  ])
  if (stuck.length === 0) return { carts: [], refunds }
  if (config.railUrl === null) {
    throw new CommandFailure(
      `${stuck.length} carts are stuck. Set PROKURA_RAIL_URL: only the payment rail knows what is authorized for them.`,
    )
  }
  const { rail, close } = openTestRail(config.railUrl)
  try {
    const found = await Promise.all(
      stuck.map(async (cart) => ({ ...cart, held: await askRail(rail, cart), result: null })),
    )
    if (!options.apply) return { carts: found, refunds }
    // Live mode has no rail to ask, and without an answer nothing is decided.
    const reached = found.filter(({ mode }) => mode === 'test')
    await endCarts(parts, rail, {
      stuck: reached,
      operator: options.operator,
      patienceMs: options.patienceMs ?? patienceMs,
    })
    const now = await parts.pools.read(selectRepairedCarts(namesOf(reached.map(asNamed))))
    return { carts: found.map((cart) => ({ ...cart, result: resultOf(cart, now) })), refunds }
  } finally {
    await close()
  }
}

async function askRail(rail: PaymentRail, { key, mode }: StuckCart): Promise<HeldAtRail> {
  if (mode !== 'test') return { kind: 'unknown' }
  const answer = await rail.ask(key, call)
  switch (answer.kind) {
    case 'done': {
      const { reference, amount, currency, status } = answer.value
      const kind = status === 'authorized' ? 'held' : 'released'
      return { kind, reference, amount: Number(amount), currency }
    }
    case 'not_found':
    case 'closed':
    case 'refused':
      return { kind: 'nothing' }
    case 'pending':
    case 'not_now':
    case 'unknown':
      return { kind: 'unknown' }
    default:
      return answer satisfies never
  }
}

/** Runs the carts' own steps until all have ended, like a worker: under their leases, and with their events. */
async function endCarts(
  parts: Parts,
  rail: PaymentRail,
  { stuck, operator, patienceMs }: { stuck: readonly StuckCart[]; operator: string; patienceMs: number },
): Promise<void> {
  if (stuck.length === 0) return
  const log = createLog({
    level: 'error',
    role: 'repair',
    destination: { write: (line) => void process.stderr.write(line) },
  })
  const deps = { rails: railsByMode({ test: { rail, circuit: null } }), channels: [] }
  const kinds = [repairWork(deps, stuck)]
  const actsAs = `repair:${operator}`
  const worker = createWorker({ ...parts, actsAs, log, metrics: createMetrics(), faults: noFaults, kinds })
  const names = namesOf(stuck.map(asNamed))
  await parts.pools.single(wakeCarts(names))
  const giveUpAt = performance.now() + patienceMs
  for (;;) {
    await worker.runOnce()
    const carts = await parts.pools.read(selectRepairedCarts(names))
    if (carts.every(isOver) || performance.now() > giveUpAt) return
    await delay(lookMs)
  }
}

function asNamed<Cart extends StuckCart>(cart: Cart): Cart & { id: string } {
  return { ...cart, id: cart.cart_id }
}

function isOver({ status }: RepairedCart): boolean {
  return status === 'failed' || status === 'cancelled' || status === 'succeeded'
}

function resultOf(cart: StuckCart, now: readonly RepairedCart[]): RepairedCollision['result'] {
  const row = now.find(({ account_id, id }) => account_id === cart.account_id && id === cart.cart_id)
  if (!row) return null
  if (!isOver(row) || row.hold_status === 'authorized') return { kind: 'waits', status: row.status }
  return { kind: 'ended', canRetry: row.status === 'failed' && row.attempt_number < row.max_attempts }
}
