import { createHash } from 'node:crypto'
import type { Pools } from '../platform/database/pool.ts'
import { type CardSession, selectCardSession } from './vault.sql.ts'

/** A session that has ended is refused after this at the latest. */
const knownMs = 1_000
const sessionsMax = 10_000

export type CardSessions = { of(token: string): Promise<CardSession | null> }

/** Who may leave a card here. Each token is looked up at most once a second, by its hash: the vault never gets to know others. */
export function createCardSessions(
  pools: Pick<Pools, 'door'>,
  nowMs: () => number = () => performance.now(),
): CardSessions {
  const known = new Map<string, { readonly session: CardSession; readonly untilMs: number }>()
  return {
    async of(token) {
      const hash = createHash('sha256').update(token).digest()
      const key = hash.toString('base64')
      const kept = known.get(key)
      if (kept !== undefined && kept.untilMs > nowMs()) return kept.session
      // As old as the moment of the question, and not of its answer.
      const untilMs = nowMs() + knownMs
      const [session] = await pools.door(selectCardSession({ hash }))
      known.delete(key)
      if (session === undefined) return null
      if (known.size >= sessionsMax) known.clear()
      known.set(key, { session, untilMs })
      return session
    },
  }
}
