import type { Egress } from '../platform/egress/egress.ts'
import { callPeer, isRecord } from '../platform/egress/peer-json.ts'
import type { CardSecrets } from './check-card.ts'
import { valueAt } from './json-pointers.ts'
import type { SecurityCodes } from './security-codes.ts'
import type { RecordRow } from './vault.sql.ts'
import { railAt, type VaultRails, whoAsks } from './vault-rails.ts'

const askAgainMs = 3_000

/**
 * The security code of a card. One that was lost with a process, or whose time is over, is asked for again where a rail has issued the
 * card; null: nobody can tell it.
 */
export async function codeOf(
  {
    codes,
    egress,
    rails,
  }: { readonly codes: SecurityCodes; readonly egress: Egress; readonly rails: VaultRails },
  { account_id: accountId, mode, id, source }: RecordRow,
  { number }: CardSecrets,
): Promise<string | null> {
  const kept = codes.look({ accountId, mode, id })
  if (kept !== null) return kept
  if (!isRecord(source) || typeof source.url !== 'string' || typeof source.number !== 'string') return null
  if (typeof source.securityCode !== 'string' || (mode !== 'test' && mode !== 'live')) return null
  const { url } = source
  const rail = railAt(rails, mode, url)
  if (rail === null) return null
  const headers = whoAsks(rail)
  const said = await callPeer(egress, { method: 'GET', url, headers, mode, timeoutMs: askAgainMs })
  if (said.kind !== 'answer' || said.status !== 200) return null
  const code = valueAt(said.body, source.securityCode)
  // The code of another card would be declined at the shop.
  return valueAt(said.body, source.number) === number && typeof code === 'string' ? code : null
}
