import type { Mode } from '../../contract/context.ts'
import type { Operation } from '../../contract/operation.ts'
import type { ProblemCatalog } from '../../contract/problem-codes.ts'
import type { Id } from '../../core/id.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Signing } from '../../protocols/mpp/payment-scheme.ts'
import type { Business, FindBusiness, HostNames } from '../http/businesses.ts'
import type { Dialect } from '../http/dialect.ts'
import type { Http, SurfaceContext } from '../http/surface.ts'

/** A way of paying that the service takes. */
export type PaidMethod = {
  readonly name: 'vault' | 'stripe'
  /** What a payer has to know besides the amount, beside `testMode`. */
  readonly details: Readonly<Record<string, unknown>>
  /** What the payload of a credential is, as a schema for readers. */
  readonly instruments: readonly string[]
  /** The token in the payload of a credential; null: it is none of this method. */
  tokenOf(payload: Readonly<Record<string, unknown>>): string | null
}

/** A paid API that a merchant runs at its own domain. */
export type CustomApi = {
  readonly id: string
  /** Of the merchant. */
  readonly slug: string
  readonly livemode: boolean
  readonly name: string
  readonly method: string
  readonly url: string
  readonly offers: readonly {
    readonly intent: string
    readonly method: string
    /** In base units of the currency; null: it depends on the request. */
    readonly amount: string | null
    readonly currency: string | null
  }[]
  readonly description?: string
  readonly categories?: readonly string[]
  readonly requestSchema?: object | null
}

export type MppOptions = {
  problems: ProblemCatalog
  clock: Pick<Clock, 'now'>
  findBusiness: FindBusiness
  hosts: HostNames
  newId: (now: Date) => Id<'sal'>
  /** What binds challenges; equal in all processes. */
  secret: string
  /** The ways of paying in a mode. None: nothing can be ordered there. */
  methods: Readonly<Record<Mode, readonly PaidMethod[]>>
  customApis: {
    of(business: Business): Promise<readonly CustomApi[]>
    /** Of all merchants whom strangers may name: those of live mode, and after them those of the mode that is asked for. */
    newest(mode: Mode): Promise<readonly CustomApi[]>
  }
}

export type Offered = {
  readonly create: Operation
  readonly quote: Operation
  /** What costs nothing, which is all but `create`. */
  readonly free: readonly Operation[]
}

/** What the routes of the surface share. */
export type Mpp = MppOptions & {
  readonly http: Http
  readonly context: SurfaceContext
  readonly dialect: Dialect
  readonly offered: Offered
}

/** The address by which a request came: a merchant may have a host of its own, which then is what asks for the payment. */
export function signingFor({ hosts, secret, context }: Mpp, host: string | undefined): Signing {
  const own = hosts.addressOf(host)
  return { secret, realm: new URL(own ?? context.publicUrl).host }
}
