import type { Statement } from '../../contract/statement.ts'
import { EnvelopeError, open } from './envelope.ts'
import type { Ask, KeyWitness } from './prove-keys.ts'

/** A sealed record, as it is stored; `key_id` is read from its head. */
export type SealedSample = { account_id: string; mode: string; id: string; sealed: Buffer; key_id: string }

/** A kind of sealed records: for each key that sealed any of them, one record is a witness. */
export type SealedRecords = {
  what: string
  sealedAs: string
  /** One record for each key. */
  select: () => Statement<SealedSample>
}

/** The key of a sealed column, in SQL: the record's head is the version, a length and the id. */
export function keyIdOf(column: string): string {
  return `convert_from(substring(${column} from 3 for get_byte(${column}, 1)), 'UTF8')`
}

export async function sealedWitnesses(ask: Ask, records: readonly SealedRecords[]): Promise<KeyWitness[]> {
  const witnesses: KeyWitness[] = []
  for (const { what, sealedAs, select } of records) {
    for (const { account_id: accountId, mode, id, sealed, key_id: keyId } of await ask(select())) {
      const context = { what: sealedAs, accountId, mode, id }
      witnesses.push({ keyId, what, holds: (keys) => opens(() => open(keys, sealed, context)) })
    }
  }
  return witnesses
}

function opens(work: () => Buffer): boolean {
  try {
    work().fill(0)
    return true
  } catch (error) {
    if (error instanceof EnvelopeError) return false
    throw error
  }
}
