import { randomBytes, timingSafeEqual } from 'node:crypto'
import { isRecord } from '../platform/egress/peer-json.ts'
import { newToken } from '../platform/secrets/keyed-hash.ts'
import {
  type OpenedTicket,
  type OpenTicketRequest,
  type SealedTicket,
  type SealingKey,
  type TicketSecret,
  ticketInfo,
} from '../platform/vault-client/vault-words.ts'
import { type KeyPair, makeKeyPair, openSealed } from './hpke.ts'

/** How long a ticket may live. */
const ticketMs = 10 * 60_000
/** A key is replaced after this, */
const keyMs = 10 * 60_000
/** and kept for whom it was shown to last, and for the ticket that was sealed with it last. */
const keyKeptMs = keyMs + 2 * ticketMs
const lookEveryMs = 30_000
/** Tickets of nobody fill no memory. */
const ticketsMax = 10_000
/** Wrong carts and hosts that a ticket survives, as a grant does. */
const refusalsMax = 3
const secretCharsMax = 1_000

type Key = { readonly id: string; readonly pair: KeyPair; readonly madeAtMs: number }
type Kept = { readonly ticket: SealedTicket; readonly diesAtMs: number; refusals: number }

/**
 * What people have sealed to sign in at a merchant, in memory alone: only this process can open it, and does so once. A vault that ends
 * has lost them all, and the person signs in again.
 */
export class SealedTickets {
  #keys: Key[] = []
  readonly #tickets = new Map<string, Kept>()
  readonly #nowMs: () => number
  #timer: NodeJS.Timeout | null = null

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  /** The key that a ticket is sealed to at this moment. */
  sealingKey(): SealingKey {
    this.#tidy()
    const now = this.#nowMs()
    const [newest] = this.#keys
    if (newest !== undefined && now - newest.madeAtMs < keyMs) return shown(newest)
    const key = { id: newToken('vsk_', randomBytes), pair: makeKeyPair(), madeAtMs: now }
    this.#keys.unshift(key)
    this.#timer ??= setInterval(() => this.#tidy(), lookEveryMs).unref()
    return shown(key)
  }

  /** False: it was sealed to a key that is gone, it is too late for it, or its id is taken by something else. */
  keep(ticket: SealedTicket): boolean {
    this.#tidy()
    const known = this.#tickets.get(ticket.ticket)
    // The answer may have been lost.
    if (known !== undefined) return isSameSealed(known.ticket, ticket)
    const leftMs = ticket.expiresAt.getTime() - Date.now()
    if (leftMs <= 0 || this.#tickets.size >= ticketsMax) return false
    if (!this.#keys.some(({ id }) => id === ticket.key)) return false
    // By the clock of the vault, and no longer: whoever sets the end has another clock.
    const diesAtMs = this.#nowMs() + Math.min(leftMs, ticketMs)
    this.#tickets.set(ticket.ticket, { ticket, diesAtMs, refusals: 0 })
    return true
  }

  /** Opens it for the page of exactly its host. It is gone before the answer leaves. */
  async open({
    ticket: id,
    cart,
    origin,
  }: OpenTicketRequest): Promise<Exclude<OpenedTicket, { kind: 'lost' | 'unavailable' }>> {
    this.#tidy()
    const kept = this.#tickets.get(id)
    if (kept === undefined) return { kind: 'refused' }
    const { ticket } = kept
    // guard tickets-for-their-host: a ticket opens for the page of exactly its host
    // guard tickets-for-their-cart: a ticket opens for its cart alone
    if (!isSame(ticket.cart, cart) || `https://${ticket.host}` !== origin) {
      kept.refusals += 1
      // guard few-guesses-at-a-ticket: who has found a ticket cannot try carts and hosts
      if (kept.refusals >= refusalsMax) this.#tickets.delete(id)
      return { kind: 'refused' }
    }
    // guard tickets-open-once: a ticket opens once
    this.#tickets.delete(id)
    const key = this.#keys.find((one) => one.id === ticket.key)
    const info = Buffer.from(ticketInfo(ticket), 'utf8')
    const { enc, ciphertext } = ticket
    const opened = key ? await openSealed(key.pair, { enc, ciphertext, info }) : null
    if (opened === null) return { kind: 'refused' }
    const secret = secretOf(opened.toString('utf8'))
    opened.fill(0)
    return secret === null ? { kind: 'refused' } : { kind: 'secret', secret }
  }

  close(): void {
    for (const { pair } of this.#keys) pair.privateKey.fill(0)
    this.#keys = []
    this.#tickets.clear()
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  #tidy(): void {
    const now = this.#nowMs()
    for (const [id, { diesAtMs }] of this.#tickets) if (diesAtMs <= now) this.#tickets.delete(id)
    const isOld = ({ madeAtMs }: Key) => now - madeAtMs >= keyKeptMs
    for (const key of this.#keys.filter(isOld)) key.pair.privateKey.fill(0)
    this.#keys = this.#keys.filter((key) => !isOld(key))
  }
}

function shown({ id, pair }: Key): SealingKey {
  return { key: id, publicKey: pair.publicKey.toString('base64url') }
}

function isSameSealed(one: SealedTicket, other: SealedTicket): boolean {
  const isSameCart = one.cart === other.cart && one.key === other.key
  return isSameCart && one.enc.equals(other.enc) && one.ciphertext.equals(other.ciphertext)
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** What a person has typed; null: it is written in another way, and nothing of it is said. */
function secretOf(text: string): TicketSecret | null {
  try {
    const said: unknown = JSON.parse(text)
    if (!isRecord(said)) return null
    const { username = null, password = null, code = null } = said
    const isText = (part: unknown): part is string | null =>
      part === null || (typeof part === 'string' && part !== '' && part.length <= secretCharsMax)
    return isText(username) && isText(password) && isText(code) ? { username, password, code } : null
  } catch {
    return null
  }
}
