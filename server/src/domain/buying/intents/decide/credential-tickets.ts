import type { CallContext } from '../../../../contract/context.ts'
import { definePort } from '../../../../contract/port.ts'

/** What a person has sealed for one cart that waits at a sign-in. Nobody here can read it: the vault opens it for the page of its host. */
export type CredentialTicket = {
  readonly intentId: string
  readonly cartId: string
  /** The exact host that it is typed at. */
  readonly host: string
  /** What is in it: a name and a password, or the code that the merchant has sent. */
  readonly kind: 'password' | 'code'
  readonly state: 'open' | 'used' | 'destroyed' | 'expired'
}

type TicketContext = Pick<CallContext, 'tenant' | 'tx' | 'now'>

/** Whoever makes tickets keeps them; a purchase only uses them up, in the transaction that makes the cart go on. */
export interface CredentialTickets {
  /** Locks the ticket until the transaction ends. Null: this account has no such ticket in this mode. */
  lock(ctx: TicketContext, id: string): Promise<CredentialTicket | null>
  /** It is of no use to anybody from here on. */
  end(ctx: TicketContext, id: string, how: 'used' | 'destroyed'): Promise<void>
}

export const CredentialTickets = definePort<CredentialTickets>('credential tickets')
