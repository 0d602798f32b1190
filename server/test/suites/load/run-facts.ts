import type { Testimony } from '../../harness/witness.ts'
import type { StoredFacts } from './judge-journal.ts'
import type { TradeFacts } from './read-trade.ts'
import type { JournalLine } from './synced-journal.ts'

/** The facts that the judges of trade read. */
export type RunFacts = { journal: readonly JournalLine[]; traded: TradeFacts; testimony: Testimony } & {
  stored: Pick<StoredFacts, 'purchases' | 'profiles'>
}

/** A fault, and the judge that must find it. `plant` answers null where the facts have no place for it. */
export type Planted = { fault: string; id: string; plant: (facts: RunFacts) => RunFacts | null }
