import { createSimulatedChannel } from './channels/simulated/simulated.ts'
import { events, followers, slices } from './composition.ts'
import { bind, bindPorts } from './contract/port.ts'
import { guardRail, type PaymentRail, PurchaseMeans, RailCircuit } from './domain/buying/execution/public.ts'
import { createEgress } from './platform/egress/egress.ts'
import type { Follower } from './platform/events/follower.ts'
import type { Log } from './platform/logs/logs.ts'
import type { Metrics } from './platform/metrics/metrics.ts'
import type { WorkKind } from './platform/work/work.ts'
import { createSandboxRail } from './rails/sandbox/sandbox.ts'

export type WorkOptions = {
  /** Test mode's payment processor and shops; null: nothing can be bought in test mode. */
  railUrl: string | null
  sandboxUrl: string | null
  allowLoopback: boolean
  /** Ports of this machine that tenants reach nothing on, but the sandbox merchants' webhooks. */
  ownPorts: readonly number[]
  sandboxMerchantUrl: string | null
  /** Where it shows that a payment rail is left alone. */
  log: Log
  metrics: Metrics
  monotonicMs?: () => number
}

/** Every kind of work and everything that follows from events. */
export type Work = { kinds: readonly WorkKind[]; followers: readonly Follower[]; close(): Promise<void> }

export function openWork(options: WorkOptions): Work {
  const { railUrl, sandboxUrl, allowLoopback, ownPorts, sandboxMerchantUrl } = options
  const egress = createEgress({
    allowLoopback: (mode) => allowLoopback && mode === 'test',
    trustedOrigins: [railUrl, sandboxUrl].flatMap((url) => (url === null ? [] : [new URL(url).origin])),
    ownPorts,
    sandboxMerchantUrl,
  })
  const sandbox =
    railUrl === null ? null : behindCircuit(createSandboxRail({ url: railUrl, egress }), 'test', options)
  const purchaseMeans = {
    rails: { test: sandbox?.rail ?? null, live: null },
    ...(sandbox ? { circuits: { test: sandbox.circuit } } : {}),
    simulated: sandboxUrl === null ? null : createSimulatedChannel({ shopsUrl: sandboxUrl, egress }),
  }
  const ports = bindPorts([
    bind(PurchaseMeans, purchaseMeans),
    ...slices.flatMap((slice) => slice.binds ?? []),
  ])
  const means = { events, egress, wallNow: () => new Date(), ports }
  return {
    kinds: slices.flatMap((slice) => slice.work?.(means) ?? []),
    followers,
    close: () => egress.close(),
  }
}

/** Each rail and mode has a circuit of its own, in each process: what one of them learns holds no other one up. */
function behindCircuit(
  rail: PaymentRail,
  mode: 'test' | 'live',
  { log, metrics, monotonicMs = () => performance.now() }: WorkOptions,
): { rail: PaymentRail; circuit: RailCircuit } {
  const about = { rail: 'sandbox', mode }
  const gauge = metrics.railCircuit.labels(about)
  gauge.set(0)
  const circuit = new RailCircuit({
    monotonicMs,
    random: Math.random,
    onOpened(opened) {
      gauge.set(1)
      log.warn({ ...about, ...opened }, 'rail: it fails or turns calls away; they are held back')
    },
    onClosed(closed) {
      gauge.set(0)
      log.info({ ...about, ...closed }, 'rail: it answers again; calls go on')
    },
  })
  const count = (step: string, result: string) => metrics.effects.inc({ step, result })
  return { rail: guardRail(rail, circuit, count), circuit }
}
