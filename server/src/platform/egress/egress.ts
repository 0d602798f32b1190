import { Agent, type Dispatcher } from 'undici'
import type { Mode } from '../../contract/context.ts'
import { type Gate, gatedConnector, namedConnector } from './connector.ts'
import { type EgressResponse, Exchange } from './exchange.ts'
import { EgressFault } from './fault.ts'
import { OriginSlots } from './origin-slots.ts'
import { type Resolve, resolveConfiguredName, resolveForeignName } from './resolve.ts'
import { type EgressStream, StreamExchange } from './stream-exchange.ts'
import { checkTargetUrl, isAddressAllowed } from './target.ts'

export type EgressOptions = {
  /** Whether targets that tenants of a mode name may be plain http and on this machine. */
  allowLoopback: (mode: 'test' | 'live') => boolean
  /** Peers from our own configuration (payment rail, sandbox). They are exempt from the filter, but only for `peer` requests. */
  trustedOrigins: string[]
  /** Our own ports on this machine. Tenants reach nothing on them, even where loopback is open. */
  ownPorts?: readonly number[]
  /**
   * The base of the sandbox merchants' webhooks, which tenants reach although its port is ours: nothing but `/webhooks` and
   * `/m/{slug}/webhooks`.
   */
  sandboxMerchantUrl?: string | null
  /** The shops of the sandbox, which no DNS knows: they are reached in test mode alone. */
  sandboxNames?: SandboxNames | null
  connectTimeoutMs?: number
  /** How many calls run at once to one origin (or to one `lane` of it). */
  concurrencyPerLane?: number
  /** Replaces both resolvers. */
  lookup?: Resolve
  /** Certificate authorities instead of the built-in ones, PEM. */
  ca?: string[]
}

export type EgressRequest = {
  url: string
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers: Record<string, string>
  body?: string | Uint8Array
  mode: 'test' | 'live'
  /** From the call to the last byte of the answer, including the wait for a free connection. */
  timeoutMs: number
  maxResponseBytes: number
  /** Set only when the URL comes from our configuration, never when a tenant named it. */
  peer?: boolean
  /**
   * The name under which calls share one concurrency bound, for example a destination id. Without it, all calls to the origin share one.
   */
  lane?: string
}

/** Every outbound connection of the product. A redirect is an answer like any other and is never followed. */
export interface Egress {
  /** Throws EgressFault, and nothing else, when there is no complete answer. */
  request(input: EgressRequest): Promise<EgressResponse>
  /** Ends every connection at once. Calls under way fail with an unknown outcome, so finish effects first. */
  close(): Promise<void>
}

export type StreamRequest = EgressRequest & {
  /** From the request to the first byte of the answer, and from each to the next. */
  idleMs: number
  signal: AbortSignal
}

/** For answers that are read while they come. */
export interface StreamingEgress extends Egress {
  /** Throws EgressFault, and nothing else; so does the body. A signal ends it with the code `closed`. */
  stream(input: StreamRequest): Promise<EgressStream>
}

export function createEgress(options: EgressOptions): StreamingEgress {
  return new GatedEgress(options)
}

/** Names that exist for test mode alone, each with the one address of this machine that it stands for, and who vouches for them. */
export type SandboxNames = {
  /** The modes whose shops they are: test mode's alone, unless live mode is rehearsed with them. */
  readonly modes?: readonly Mode[]
  /** By host, `127.0.0.1:PORT`; each is reached on the usual port of https. */
  readonly addresses: Readonly<Record<string, string>>
  /** The certificate of their authority, PEM. It is trusted for these names alone. */
  readonly certificate: string
  /** Where its shops take cards, and its banks ask. */
  readonly paymentHosts?: readonly { readonly host: string; readonly roles: readonly string[] }[]
}

const testAlone: readonly Mode[] = ['test']

/** Whether the shops of a mode are the sandbox's, and no others. */
export function isAtSandbox(names: SandboxNames | null, mode: Mode): names is SandboxNames {
  return names !== null && (names.modes ?? testAlone).includes(mode)
}

type GateName = 'public' | 'loopback' | 'peer' | 'sandbox'

class GatedEgress implements StreamingEgress {
  readonly #allowLoopback: EgressOptions['allowLoopback']
  readonly #trustedOrigins: ReadonlySet<string>
  readonly #ownPorts: ReadonlySet<number>
  readonly #sandboxMerchant: string | null
  readonly #sandboxNames: ReadonlySet<string>
  readonly #sandboxModes: readonly Mode[]
  readonly #slots: OriginSlots
  readonly #agents: Record<GateName, Agent>
  #isClosed = false

  constructor(options: EgressOptions) {
    this.#allowLoopback = options.allowLoopback
    this.#trustedOrigins = new Set(options.trustedOrigins.map((origin) => new URL(origin).origin))
    this.#ownPorts = new Set(options.ownPorts)
    this.#sandboxMerchant = options.sandboxMerchantUrl ? new URL(options.sandboxMerchantUrl).origin : null
    this.#sandboxModes = options.sandboxNames?.modes ?? testAlone
    this.#sandboxNames = new Set(Object.keys(options.sandboxNames?.addresses ?? {}))
    this.#slots = new OriginSlots(options.concurrencyPerLane ?? 32)
    const resolve = options.lookup ?? ((hostname: string) => resolveForeignName(hostname))
    // One pool of connections per gate: a connection opened under a wider gate never serves a narrower one.
    this.#agents = {
      public: agentBehind(
        { admits: (ip) => isAddressAllowed(ip, { allowLoopback: false }), resolve },
        options,
      ),
      loopback: agentBehind(
        { admits: (ip) => isAddressAllowed(ip, { allowLoopback: true }), resolve },
        options,
      ),
      peer: agentBehind({ admits: () => true, resolve: options.lookup ?? resolveConfiguredName }, options),
      sandbox: agentOf(
        namedConnector(options.sandboxNames ?? { addresses: {}, certificate: '' }, connectTimeoutOf(options)),
      ),
    }
  }

  async request(input: EgressRequest): Promise<EgressResponse> {
    const exchange = await this.#dispatch(input, (timeoutMs, onReleased) => {
      const hasNoBody = input.method === 'HEAD'
      return new Exchange({ timeoutMs, maxResponseBytes: input.maxResponseBytes, hasNoBody }, onReleased)
    })
    return await exchange.response
  }

  async stream(input: StreamRequest): Promise<EgressStream> {
    const exchange = await this.#dispatch(
      input,
      (timeoutMs, onReleased) => new StreamExchange({ ...input, timeoutMs }, onReleased),
    )
    return await exchange.response
  }

  async #dispatch<E extends Dispatcher.DispatchHandler>(
    input: EgressRequest,
    exchangeOf: (timeoutMs: number, onReleased: () => void) => E,
  ): Promise<E> {
    const calledAt = performance.now()
    if (this.#isClosed) throw new EgressFault({ stage: 'before', code: 'closed' })
    const { url, gate } = this.#admit(input)
    // guard own-framing: no header of a tenant decides where a message ends
    assertOwnHeaders(input.headers)
    const key = `${gate} ${url.origin} ${input.lane ?? ''}`
    if (!(await this.#slots.take(key, input.timeoutMs))) throw timedOutBefore()
    const remainingMs = input.timeoutMs - (performance.now() - calledAt)
    if (remainingMs < 1) {
      // Sending it would only turn a certain failure into an unknown outcome.
      this.#slots.give(key)
      throw timedOutBefore()
    }
    const exchange = exchangeOf(remainingMs, () => this.#slots.give(key))
    this.#agents[gate].dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: input.method,
        // Nothing here decompresses, so a small body cannot become a large one.
        headers: { 'accept-encoding': 'identity', ...input.headers },
        body: input.body ?? null,
      },
      exchange,
    )
    return exchange
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(Object.values(this.#agents).map((agent) => agent.destroy()))
  }

  #admit(input: EgressRequest): { url: URL; gate: GateName } {
    if (input.peer === true) {
      const url = URL.parse(input.url)
      // guard trusted-peers: only a configured peer is exempt from the filter
      if (url === null || !this.#trustedOrigins.has(url.origin)) {
        throw new EgressFault({ stage: 'before', code: 'untrusted_peer' })
      }
      return { url, gate: 'peer' }
    }
    const allowLoopback = this.#allowLoopback(input.mode)
    const verdict = checkTargetUrl(input.url, { allowLoopback })
    // guard target-is-checked: a literal address inside is not called
    if (verdict.ok) {
      const { url } = verdict
      const isThere = this.#sandboxModes.includes(input.mode) && this.#sandboxNames.has(url.host)
      if (isThere && url.protocol === 'https:') return { url, gate: 'sandbox' }
      return { url, gate: this.#gateFor(url, allowLoopback) }
    }
    const isWhere = verdict.reason === 'host' || verdict.reason === 'address'
    throw new EgressFault({ stage: 'before', code: isWhere ? 'blocked_address' : 'blocked_url' })
  }

  /** The public gate refuses this machine at the connect, whatever name leads to it. */
  #gateFor(url: URL, allowLoopback: boolean): GateName {
    // guard loopback-for-test-mode: live mode never calls this machine
    if (!allowLoopback) return 'public'
    // guard own-ports: an address that a tenant names reaches no port of ours
    if (!this.#ownPorts.has(portOf(url))) return 'loopback'
    // guard sandbox-webhooks-alone: of the sandbox merchants' port nothing but their webhooks is reached
    const isWebhook = sandboxWebhook.test(url.pathname) && url.search === ''
    return isWebhook && url.origin === this.#sandboxMerchant ? 'loopback' : 'public'
  }
}

const sandboxWebhook = /^(\/m\/[a-z0-9-]+)?\/webhooks$/

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

function timedOutBefore(): EgressFault {
  return new EgressFault({ stage: 'before', code: 'timeout' })
}

function agentBehind(gate: Gate, options: EgressOptions): Agent {
  return agentOf(gatedConnector(gate, { connectTimeoutMs: connectTimeoutOf(options), ca: options.ca }))
}

function connectTimeoutOf({ connectTimeoutMs }: EgressOptions): number {
  return connectTimeoutMs ?? 5_000
}

function agentOf(connect: ReturnType<typeof gatedConnector>): Agent {
  return new Agent({
    connect,
    allowH2: false,
    pipelining: 1,
    // The one deadline of an exchange covers headers and body.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

// They decide where a message ends and which host it is for, and the TLS name follows `host`.
const framingHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'expect',
  'trailer',
  'te',
])

function assertOwnHeaders(headers: Record<string, string>): void {
  for (const name of Object.keys(headers)) {
    if (framingHeaders.has(name.toLowerCase()))
      throw new EgressFault({ stage: 'before', code: 'invalid_request' })
  }
}
