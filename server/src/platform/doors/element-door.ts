import { createHash } from 'node:crypto'
import type { Mode } from '../../contract/context.ts'
import type { ProfileId } from '../../contract/ids.ts'
import type { Statement } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'
import type { Pools } from '../database/pool.ts'

/** What a component is let do: leave a card and prove it, see the cards that are saved, approve a purchase. */
export type ElementRight = 'write' | 'read' | 'approve'

/** A session of a component in a page, as it is found by its hash. */
export type ElementSession = {
  hash: Buffer
  account_id: Id<'acct'>
  mode: Mode
  key_id: Id<'key'>
  component: string
  origin: string
  profile_id: ProfileId
  purchase_intent_id: string | null
  may: ElementRight[]
  /** Whether the server of the page asked for it, by a client secret. */
  is_vouched: boolean
  terms: Buffer | null
  expires_at: Date
  ends_at: Date
  /** Whether less of its time is left than it gets when it is used. */
  is_ageing: boolean
}

/** A page that may show a component, as it is found by the token in the address of the frame. */
export type ElementBootstrap = {
  account_id: Id<'acct'>
  mode: Mode
  component: string
  origin: string
}

/** A window of ours, in which a person proves for a component that a card is theirs. */
export type ElementWindow = Pick<ElementSession, 'account_id' | 'mode' | 'key_id' | 'origin' | 'profile_id'>

/** A page of ours on which a person approves a purchase, as it is found by the token in its address. */
export type LinkedPage = {
  account_id: Id<'acct'>
  mode: Mode
  key_id: Id<'key'>
  profile_id: ProfileId
}

/** Statements of the slices that own sessions, windows and links. */
export type ElementLookups = {
  window(params: { hash: Buffer }): Statement<ElementWindow>
  session(params: { hash: Buffer }): Statement<ElementSession>
  renew(params: { account_id: Id<'acct'>; mode: Mode; hash: Buffer }): Statement<never>
  bootstrap(params: { hash: Buffer }): Statement<ElementBootstrap>
  link(params: { hash: Buffer }): Statement<LinkedPage>
}

export interface ElementDoor {
  /** The session of a token, which it keeps alive; null: there is none, it is over, or its key is. */
  session(token: string): Promise<ElementSession | null>
  /** The window of a token; null: there is none, it is over, or its key is. */
  window(token: string): Promise<ElementWindow | null>
  /** Null: there is none, or it was made too long ago. */
  bootstrap(token: string): Promise<ElementBootstrap | null>
  /** Null: there is none, or the key that made it is over. */
  link(token: string): Promise<LinkedPage | null>
}

/** Sessions are looked up at each call: components call rarely, and what was revoked has to end within a second. */
export function createElementDoor({ pools }: { pools: Pools }, lookups: ElementLookups): ElementDoor {
  return {
    async session(token) {
      const hash = elementHash(token)
      const [found] = await pools.door(lookups.session({ hash }))
      if (!found) return null
      const { account_id, mode } = found
      if (found.is_ageing) await pools.single(lookups.renew({ account_id, mode, hash }))
      return found
    },
    async window(token) {
      const [found] = await pools.door(lookups.window({ hash: elementHash(token) }))
      return found ?? null
    },
    async bootstrap(token) {
      const [found] = await pools.door(lookups.bootstrap({ hash: elementHash(token) }))
      return found ?? null
    },
    async link(token) {
      const [found] = await pools.door(lookups.link({ hash: elementHash(token) }))
      return found ?? null
    },
  }
}

/** Without our keys, which the vault does not have: these tokens are 192 random bits, and live for an hour at most. */
export function elementHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
