import type { Ask, KeyWitness } from '../secrets/prove-keys.ts'
import { selectEntries, selectHeads } from './audit.sql.ts'
import { type AuditBatch, hashOfBatch } from './audit-batch.ts'
import { type AuditEntry, hashOf } from './audit-chain.ts'
import { createAuditKeys } from './audit-keys.ts'
import { batchOf, selectBatches } from './batches.sql.ts'
import { entryOf } from './check-links.ts'

const chainsMax = 20

/** The ends of some chains: they prove the keys that signed them. `audit verify` checks all chains. */
export async function chainWitnesses(ask: Ask): Promise<KeyWitness[]> {
  const heads = await ask(selectHeads({ account_id: '', mode: 'test', limit: chainsMax }))
  const witnesses: KeyWitness[] = []
  for (const { account_id, mode, position } of heads) {
    const tenant = { account_id, mode }
    const end = { ...tenant, after: BigInt(position) - 1n, up_to: BigInt(position) }
    const [[batch], [entry]] = await Promise.all([ask(selectBatches(end)), ask(selectEntries(end))])
    const link = batch
      ? signedBatch(batchOf(tenant, batch))
      : entry
        ? signedEntry(entryOf(tenant, entry))
        : null
    if (link) witnesses.push({ ...link, what: 'the audit chains' })
  }
  return witnesses
}

type Signed = Pick<KeyWitness, 'keyId' | 'holds'>

function signedBatch(batch: AuditBatch): Signed {
  return { keyId: batch.keyId, holds: (keys) => hashOfBatch(createAuditKeys(keys), batch).equals(batch.hash) }
}

function signedEntry(entry: AuditEntry): Signed | null {
  const { keyId } = entry
  return keyId === null
    ? null
    : { keyId, holds: (keys) => hashOf(createAuditKeys(keys), entry).equals(entry.hash) }
}
