import { refusalSeconds, refusalsInARowMax, tooManyRefused } from '../contract/refusals-in-a-row.ts'
import type { Pools } from '../platform/database/pool.ts'
import { type Answer, refusal } from './public-door.ts'
import { addRefusal, type CardSession, deleteRefusals, selectRefusals } from './vault.sql.ts'

type Entry = { readonly session: CardSession; readonly address: string }

/** What is refused here is what no bank has to be asked about; what banks refuse, the product counts, and it is counted here too. */
export type Refusals = {
  /** Null: this session may go on. */
  stops(entry: Entry): Promise<Answer | null>
  /** What the person is told of a card or code that is refused: after too many, nothing of it. */
  count(entry: Entry, refused: Answer): Promise<Answer>
  /** A card or code of the profile was taken. */
  end(entry: Entry): Promise<void>
}

/** In a session without a client secret, anybody may be at the other end. */
function isBare({ is_vouched, may }: CardSession): boolean {
  // A page of ours on which a person approves has no secret to ask for, and no card is added there.
  return !is_vouched && !may.includes('approve')
}

export function createRefusals(pools: Pick<Pools, 'single'>): Refusals {
  return {
    async stops(entry) {
      if (!isBare(entry.session)) return null
      const { rows } = await pools.single(selectRefusals(keyOf(entry)))
      const { of_profile = 0, of_address = 0 } = rows[0] ?? {}
      // guard refusals-in-a-row: who only has a copied key tries out three cards, and not a list of them
      return Math.max(of_profile, of_address) >= refusalsInARowMax ? required : null
    },
    async count(entry, refused) {
      if (!isBare(entry.session)) return refused
      const { rows } = await pools.single(addRefusal({ ...keyOf(entry), seconds: refusalSeconds }))
      // guard refusals-at-once: of many at once as many are answered as of many one after the other
      return (rows[0]?.refused ?? 0) > refusalsInARowMax ? required : refused
    },
    async end(entry) {
      if (!isBare(entry.session)) return
      const { account_id, mode, profile_id } = keyOf(entry)
      await pools.single(deleteRefusals({ account_id, mode, profile_id }))
    },
  }
}

const required = refusal(403, 'client_secret_required', tooManyRefused)

function keyOf({ session: { account_id, mode, profile_id }, address }: Entry) {
  return { account_id, mode, profile_id, address }
}
