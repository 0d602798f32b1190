import { type Challenge, readChallenges } from '../../protocols/mpp/challenge.ts'
import type { SiteAnswer } from './send-request.ts'

/** What an answer asks for, and whether a tool asks; null: it asks for no payment. */
export function priceOf(
  said: SiteAnswer,
): { readonly challenges: readonly Challenge[]; readonly isTool: boolean } | null {
  if (said.kind !== 'answer' || said.status !== 402) return null
  return said.challenges
    ? { challenges: said.challenges, isTool: true }
    : { challenges: readChallenges(said.headers['www-authenticate']), isTool: false }
}
