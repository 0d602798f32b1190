import type { BrowserPort } from './channels/browser/browser-port.ts'
import { createModelReader } from './channels/browser/model-reader.ts'
import type { PageReader } from './channels/browser/page-reader.ts'
import {
  channels,
  events,
  followers,
  lookers,
  operations,
  product,
  rails,
  sharedTokenRails,
  slices,
  tokenIssuers,
} from './composition.ts'
import type { Mode } from './contract/context.ts'
import { bind, bindPorts } from './contract/port.ts'
import type { Refusal } from './contract/problem.ts'
import type { ChannelDeclaration } from './domain/buying/channels/public.ts'
import { PurchaseMeans } from './domain/buying/execution/public.ts'
import { type LookerDeclaration, ShopLookers } from './domain/buying/looks/public.ts'
import { MovementCount } from './domain/buying/rail-movements/public.ts'
import {
  guardRail,
  issuingTokens,
  type NamedRail,
  type PaymentRail,
  PaymentRails,
  RailCircuit,
  type RailDeclaration,
  type Rails,
  railsByMode,
} from './domain/buying/rails/public.ts'
import type { ChatModel } from './domain/chats/port.ts'
import {
  type ChatLimits,
  ChatMeans,
  chatLimits,
  chatToolsOf,
  modelThinker,
  plannerThinker,
  type TokenPrices,
} from './domain/chats/public.ts'
import { OrderSigner } from './domain/selling/checkouts/public.ts'
import { noPayoutAccounts, PayoutAccounts } from './domain/selling/payouts/public.ts'
import type { Dispatch } from './platform/calls/dispatch.ts'
import { createEgress, type Egress, type SandboxNames } from './platform/egress/egress.ts'
import type { Follower } from './platform/events/follower.ts'
import type { Log } from './platform/logs/logs.ts'
import type { Metrics } from './platform/metrics/metrics.ts'
import type { VaultClient } from './platform/vault-client/vault-client.ts'
import type { WorkKind } from './platform/work/work.ts'
import type { MessageSigner } from './protocols/ucp/sign-message.ts'
import type { LinkParts } from './rails/link/link.ts'
import { stripePayoutAccounts } from './rails/stripe/payout-accounts.ts'
import type { StripeAccount } from './rails/stripe/stripe.ts'
import type { TokenIssuers } from './rails/stripe/token-issuer.ts'
import { v1Dialect } from './surfaces/v1/dialect.ts'

export type WorkOptions = {
  /** Test mode's payment processor and shops; null: nothing can be bought in test mode. */
  railUrl: string | null
  sandboxUrl: string | null
  /** By mode, the account that shared payment tokens pay; without one, this process charges none. */
  stripe?: Readonly<Partial<Record<Mode, StripeAccount>>>
  /** The rail of live mode; by default there is none. */
  liveRail?: 'none' | 'stripe'
  /** By mode, who issues shared payment tokens; in a mode without one, no purchase pays by one. */
  tokenIssuers?: TokenIssuers
  /** Where wallets pay in live mode, and their tokens; null: none does. */
  link?: LinkParts | null
  /** Without it, no numbers of cards are issued. */
  vault?: VaultClient | null
  /** The browser that buys at pages; null: this installation has none, and pages alone are no way of buying. */
  browser?: BrowserPort | null
  /** The model that may be asked where the rules for pages are stuck; null: none is. */
  readerModel?: ChatModel | null
  allowLoopback: boolean
  /** Ports of this machine on which tenants reach nothing but the sandbox merchants' webhooks. */
  ownPorts: readonly number[]
  sandboxMerchantUrl: string | null
  /** The shops of the sandbox; null: this process reaches none. */
  sandboxNames?: SandboxNames | null
  /** The log that reports that a payment rail is held back. */
  log: Log
  metrics: Metrics
  monotonicMs?: () => number
  /** Signs what merchants of ours tell platforms, and what we ask of businesses as a platform. */
  signer?: () => Promise<MessageSigner>
  /** Where our own profile is; without it, nothing is bought over UCP. */
  publicUrl?: string
  /** The model that answers chats, what its tokens cost, and how many of them may be used; null: the planner answers. */
  chatModel?: {
    readonly model: ChatModel
    readonly prices: TokenPrices | null
    readonly limits: Partial<ChatLimits>
  } | null
  /** By which work calls operations in the name of a principal. */
  dispatch?: Dispatch
}

type ChannelParts = Required<Pick<WorkOptions, 'stripe' | 'tokenIssuers' | 'signer' | 'sandboxNames'>> &
  WorkOptions & {
    readonly egress: Egress
    readonly pageReader: PageReader | null
    readonly issuesCards: (mode: Mode) => boolean
  }

/** Every kind of work and everything that follows from events. */
export type Work = { kinds: readonly WorkKind[]; followers: readonly Follower[]; close(): Promise<void> }

export function openWork(options: WorkOptions): Work {
  const {
    railUrl,
    sandboxUrl,
    stripe = {},
    tokenIssuers: issuers = {},
    allowLoopback,
    ownPorts,
    sandboxMerchantUrl,
    sandboxNames,
  } = options
  const stripes = [stripe.test?.url, stripe.live?.url, issuers.test?.url]
  const peers = [railUrl, sandboxUrl, ...stripes, options.link?.url]
  const egress = createEgress({
    allowLoopback: (mode) => allowLoopback && mode === 'test',
    trustedOrigins: peers.flatMap((url) => (url ? [new URL(url).origin] : [])),
    ownPorts,
    sandboxMerchantUrl,
    sandboxNames: sandboxNames ?? null,
  })
  const signer = options.signer ?? noSigner
  const { readerModel = null, log } = options
  const pageReader = readerModel === null ? null : createModelReader(readerModel, { log })
  const names = { sandboxNames: sandboxNames ?? null }
  const known = { ...options, stripe, tokenIssuers: issuers, signer, ...names, egress, pageReader }
  const given = { ...known, issuesCards: cardsIssued(known) }
  const purchaseMeans = {
    channels: offered(given).map((declared) => ({ ...declared, channel: declared.open(given) })),
    grantCard: options.vault?.grant ?? null,
  }
  const said = v1Dialect(product.problems)
  const chatMeans = {
    thinker: options.chatModel
      ? modelThinker(options.chatModel.model, options.chatModel.prices)
      : plannerThinker,
    tools: chatToolsOf(operations),
    limits: { ...chatLimits, ...options.chatModel?.limits },
    refusalBody: (refusal: Refusal, requestId: string) => JSON.parse(said.refusal(refusal, requestId).body),
  }
  const ports = bindPorts([
    bind(PaymentRails, openAllRails(given)),
    bind(MovementCount, (outcome, count) => options.metrics.railMovements.inc({ outcome }, count)),
    bind(PurchaseMeans, purchaseMeans),
    bind(ShopLookers, openLookers(given)),
    bind(OrderSigner, { signer }),
    bind(ChatMeans, chatMeans),
    bind(PayoutAccounts, payoutAccountsOf(given)),
    ...slices.flatMap((slice) => slice.binds ?? []),
  ])
  const means = { events, egress, wallNow: () => new Date(), ports, dispatch: options.dispatch ?? noDispatch }
  return {
    kinds: slices.flatMap((slice) => slice.work?.(means) ?? []),
    followers,
    close: () => egress.close(),
  }
}

/** The rail of live mode pays the merchants of live mode. */
function payoutAccountsOf({ liveRail, stripe, egress }: ChannelParts): PayoutAccounts {
  return liveRail === 'stripe' && stripe.live
    ? stripePayoutAccounts({ ...stripe.live, egress })
    : noPayoutAccounts
}

/** The ways of buying that this installation has. */
function offered(given: ChannelParts): readonly ChannelDeclaration<ChannelParts>[] {
  const declared: readonly ChannelDeclaration<ChannelParts>[] = channels
  return declared.flatMap((one) => {
    const modes = one.modes.filter((mode) => one.isOffered?.(given, mode) ?? true)
    return modes.length > 0 ? [{ ...one, modes }] : []
  })
}

/** Whether a rail issues cards to be typed into pages of a mode. */
function cardsIssued(given: Omit<ChannelParts, 'issuesCards'>): ChannelParts['issuesCards'] {
  const declared: readonly RailDeclaration<Omit<ChannelParts, 'issuesCards'>>[] = rails
  const issuing = declared.filter(
    ({ issues, issuesCards }) => issues.includes('card') && (issuesCards?.(given) ?? true),
  )
  return (mode) => issuing.some(({ modes }) => modes.includes(mode))
}

/** Those that this process has the means for. */
function openLookers(given: ChannelParts) {
  const declared: readonly LookerDeclaration<ChannelParts>[] = lookers
  return declared.flatMap(({ name, modes, open }) => {
    const look = open(given)
    return look === null ? [] : [{ name, modes, look }]
  })
}

async function noSigner(): Promise<never> {
  throw new Error('this process was not given the keys that sign')
}

async function noDispatch(): Promise<never> {
  throw new Error('this process calls no operations')
}

/** A rail that also charges shared tokens is one and the same for both, behind one circuit. */
function openAllRails(given: ChannelParts): Rails {
  const shared = openRails(sharedTokenRails, given)
  return railsByMode(openIssuingRails(given, shared), shared)
}

/** The rails, each with the issuer of tokens of its mode. */
function openIssuingRails(given: ChannelParts, known: RailsOfModes): RailsOfModes {
  const opened = openRails(rails, given, known)
  const issuers = openRails(tokenIssuers, given)
  const withIssuer = (mode: Mode) =>
    opened[mode].map((paid) => ({ ...paid, rail: issuingTokens(paid.rail, issuers[mode][0]?.rail ?? null) }))
  return { test: withIssuer('test'), live: withIssuer('live') }
}

type RailsOfModes = Readonly<Record<Mode, readonly NamedRail[]>>

/** Every rail that this process has the means for, in the order of the list. `known`: those of a mode that are open by their names. */
function openRails(
  declared: readonly RailDeclaration<ChannelParts>[],
  given: ChannelParts,
  known: RailsOfModes = { test: [], live: [] },
): RailsOfModes {
  const opened: Record<Mode, NamedRail[]> = { test: [], live: [] }
  for (const { name, modes, open, wallet, issues, issuesCards, ...facts } of declared) {
    const { isAskedByCall = false, isPrefunded = false } = facts
    const rail = open(given)
    if (rail === null) continue
    const isCardless = !(issues.includes('card') && (issuesCards?.(given) ?? true))
    for (const mode of modes)
      opened[mode].push({
        ...(known[mode].find((one) => one.name === name) ?? behindCircuit(rail, { rail: name, mode }, given)),
        ...{ isAskedByCall, isPrefunded, isCardless, wallet },
      })
  }
  return opened
}

/** Each rail and mode has a circuit of its own, in each process: a failure of one holds no other back. */
function behindCircuit(
  rail: PaymentRail,
  about: { rail: string; mode: Mode },
  { log, metrics, monotonicMs = () => performance.now() }: WorkOptions,
): NamedRail {
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
  return { name: about.rail, rail: guardRail(rail, circuit, count), circuit }
}
