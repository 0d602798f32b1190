import type { Credential, Ledger, Stored } from './ledger.ts'

/** The credential that an authorization was made against, as it is with it: charged, or never to be charged again. */
export function spentWith(ledger: Ledger, held: Stored): Credential[] {
  if (held.object !== 'authorization' || held.credential_id === undefined) return []
  const credential = ledger.objects.get(held.credential_id)
  if (credential?.object !== 'credential') return []
  if (held.status !== 'captured') return [{ ...credential, status: 'revoked' }]
  const { capture_id, captured_amount, refunded_amount } = held
  return [{ ...credential, status: 'charged', capture_id, captured_amount, refunded_amount }]
}
