import type { KeyObject } from 'node:crypto'
import type { Mode } from '../../contract/context.ts'
import type { HostedReply } from '../../contract/hosted-page.ts'
import type { Operation } from '../../contract/operation.ts'
import type { ProblemCatalog } from '../../contract/problem-codes.ts'
import type { PublicJwk } from '../../protocols/ucp/jwk.ts'
import type { ForeignOrder } from '../../protocols/ucp/read-order.ts'
import type { Release } from '../../protocols/ucp/releases.ts'
import type { ShoppingOperation } from '../../protocols/ucp/shopping-operations.ts'
import type { DeclaredHandler, Offer, OfferedCapability } from '../../protocols/ucp/write-profile.ts'
import type { Business, FindBusiness, HostNames } from '../http/businesses.ts'
import type { Dialect } from '../http/dialect.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Http, SurfaceContext } from '../http/surface.ts'
import type { CallerProfiles } from './caller-profiles.ts'
import type { callOf } from './platform-call.ts'
import type { UcpAnswer } from './ucp-answer.ts'

export type UcpOptions = {
  problems: ProblemCatalog
  profiles: CallerProfiles
  findBusiness: FindBusiness
  hosts: HostNames
  /** The public keys of the service: it signs for all of its businesses, and as a platform. */
  keys: () => Promise<readonly PublicJwk[]>
  /** The key that signs answers now. */
  signer: () => Promise<{ kid: string; key: KeyObject }>
  /** What the service does as a platform that buys. */
  platform: Offer
  /** Where messages of businesses about orders go, that were placed with them. */
  orders: OrderMessages
  /** What a person sees of an order of a business. */
  orderPage(business: Business, orderId: string): Promise<HostedReply>
  /** What its businesses offer besides the capabilities of their operations: extensions, and how they are paid. */
  business: { handlers: PaymentHandlers; extensions: readonly OfferedCapability[] }
}

/**
 * `kept`: there is no such order yet. `older`: a newer one was applied before. `foreign`: the order was placed with somebody else. `full`:
 * too much of this sender waits for orders. `changed`: another message had this id.
 */
export type OrderMessageResult = 'applied' | 'kept' | 'repeated' | 'changed' | 'older' | 'foreign' | 'full'

/** The orders that were placed at businesses elsewhere. A sender is the address of a profile. */
type OrderMessages = {
  /** In which mode the profile of a sender is read. */
  modeOf(toldAs: { sender: string; checkout: string }): Promise<Mode>
  /** Who may write about a checkout, where a message does not say who it is from. */
  sendersOf(checkout: string): Promise<readonly { sender: string; mode: Mode }[]>
  receive(message: {
    sender: string
    id: string
    sentAt: Date
    raw: Uint8Array
    order: ForeignOrder
  }): Promise<OrderMessageResult>
  /** The real time, by which senders write theirs. */
  wallNow(): Date
}

/** How the businesses of a mode are paid. */
export type PaymentHandlers = (
  release: Release,
  mode: Mode,
) => Readonly<Record<string, readonly DeclaredHandler[]>>

/** An operation that a business offers, as the protocol carries it and as the product runs it. */
export type OfferedOperation = { readonly shopping: ShoppingOperation; readonly operation: Operation }

/** What the routes of the surface share. */
export type Ucp = Omit<UcpOptions, 'business'> & {
  readonly handlers: PaymentHandlers
  readonly http: Http
  readonly context: SurfaceContext
  readonly offered: readonly OfferedOperation[]
  readonly offer: Offer
  readonly dialect: Dialect
  /** One operation for one request, from who calls to the answer. */
  run(request: Running): Promise<UcpAnswer>
}

export type Running = {
  readonly exchange: Exchange
  readonly business: Business
  readonly offered: OfferedOperation
  readonly profileUrl: string | null
  readonly raw: Uint8Array
  /** Below the address of the business. */
  readonly target: string
  readonly idempotencyKey: string | undefined
} & Pick<Parameters<typeof callOf>[1], 'path' | 'query' | 'body' | 'bodyError' | 'coerce'>
