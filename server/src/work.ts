import { channels, events, followers, rails, slices } from './composition.ts'
import type { Mode } from './contract/context.ts'
import { bind, bindPorts } from './contract/port.ts'
import {
  guardRail,
  type PaymentRail,
  PurchaseMeans,
  type RailAndCircuit,
  RailCircuit,
  type Rails,
  railsByMode,
} from './domain/buying/execution/public.ts'
import { createEgress, type Egress } from './platform/egress/egress.ts'
import type { Follower } from './platform/events/follower.ts'
import type { Log } from './platform/logs/logs.ts'
import type { Metrics } from './platform/metrics/metrics.ts'
import type { WorkKind } from './platform/work/work.ts'

export type WorkOptions = {
  /** Test mode's payment processor and shops; null: nothing can be bought in test mode. */
  railUrl: string | null
  sandboxUrl: string | null
  allowLoopback: boolean
  /** Ports of this machine on which tenants reach nothing but the sandbox merchants' webhooks. */
  ownPorts: readonly number[]
  sandboxMerchantUrl: string | null
  /** The log that reports that a payment rail is held back. */
  log: Log
  metrics: Metrics
  monotonicMs?: () => number
}

type Given = WorkOptions & { readonly egress: Egress }

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
  const given = { ...options, egress }
  const purchaseMeans = {
    rails: openRails(given),
    channels: channels.map((declared) => ({ ...declared, channel: declared.open(given) })),
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

function openRails(given: Given): Rails {
  const opened: Partial<Record<Mode, RailAndCircuit>> = {}
  for (const { name, modes, open } of rails) {
    const rail = open(given)
    if (rail === null) continue
    for (const mode of modes) opened[mode] ??= behindCircuit(rail, { rail: name, mode }, given)
  }
  return railsByMode(opened)
}

/** Each rail and mode has a circuit of its own, in each process: a failure of one holds no other back. */
function behindCircuit(
  rail: PaymentRail,
  about: { rail: string; mode: Mode },
  { log, metrics, monotonicMs = () => performance.now() }: WorkOptions,
): RailAndCircuit {
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
