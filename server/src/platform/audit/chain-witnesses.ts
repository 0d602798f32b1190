import type { Ask, KeyWitness } from '../secrets/prove-keys.ts'
import { selectEntries, selectHeads } from './audit.sql.ts'
import { hashOf } from './audit-chain.ts'
import { createAuditKeys } from './audit-keys.ts'
import { entryOf } from './walk-chain.ts'

const chainsMax = 20

/** The ends of some chains: whoever signed them held the keys. `audit verify` looks at all of them. */
export async function chainWitnesses(ask: Ask): Promise<KeyWitness[]> {
  const heads = await ask(selectHeads({ account_id: '', mode: 'test', limit: chainsMax }))
  const witnesses: KeyWitness[] = []
  for (const { account_id, mode, position } of heads) {
    const tenant = { account_id, mode }
    const [row] = await ask(selectEntries({ ...tenant, after: BigInt(position) - 1n, limit: 1 }))
    const keyId = row?.key_id
    if (!row || !keyId) continue
    const entry = entryOf(tenant, row)
    witnesses.push({
      keyId,
      what: 'the audit chains',
      holds: (keys) => hashOf(createAuditKeys(keys), entry).equals(entry.hash),
    })
  }
  return witnesses
}
