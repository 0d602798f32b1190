import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import type { Pools } from '../platform/database/pool.ts'
import { type Faults, noFaults } from '../platform/faults/faults.ts'
import { EnvelopeError, open, seal } from '../platform/secrets/envelope.ts'
import { type KeyProvider, UnknownKeyError } from '../platform/secrets/keys.ts'
import {
  insertTenantKey,
  selectMasterKeyWitnesses,
  selectTenantKey,
  selectTenantKeysUnderOthers,
  type TenantKeyRow,
  updateTenantKey,
} from './vault.sql.ts'

export type Tenant = { readonly accountId: string; readonly mode: string }

/** The middle of the envelope: a master key seals it, and it seals the keys of the tenant's records. */
type TenantKey = {
  /** For `seal` and `open` of the records. */
  readonly provider: KeyProvider
  /** The key of the hashes by which a number of this tenant is known again. */
  readonly fingerprints: KeyObject
}

export type TenantKeys = {
  of(tenant: Tenant): Promise<TenantKey>
  /** Seals all tenant keys under the current master key; returns how many it has changed. */
  sealAgain(): Promise<number>
}

/** `masters` is asked each time, because a key may be added while the process runs. */
export function createTenantKeys(
  pools: Pools,
  masters: () => KeyProvider,
  faults: Faults = noFaults,
): TenantKeys {
  const known = new Map<string, TenantKey>()

  async function read(tenant: Tenant): Promise<TenantKey> {
    const place = { account_id: tenant.accountId, mode: tenant.mode }
    const [found] = await pools.read(selectTenantKey(place))
    return openTenantKey(masters(), found ?? (await make(tenant)))
  }

  async function make(tenant: Tenant): Promise<TenantKeyRow> {
    const place = { account_id: tenant.accountId, mode: tenant.mode }
    const id = `t${randomBytes(6).toString('hex')}`
    const fresh = randomBytes(keyBytes)
    try {
      const row = sealTenantKey(masters(), { ...place, id }, fresh)
      const [made] = (await pools.single(insertTenantKey(row))).rows
      if (made) return made
    } finally {
      fresh.fill(0)
    }
    const [others] = await pools.read(selectTenantKey(place))
    if (!others) throw new Error('a key of a tenant was neither made nor found')
    return others
  }

  return {
    async of(tenant) {
      const key = `${tenant.mode} ${tenant.accountId}`
      const kept = known.get(key)
      if (kept) return kept
      const opened = await read(tenant)
      if (known.size >= knownMax) known.clear()
      known.set(key, opened)
      return opened
    },
    async sealAgain() {
      let done = 0
      for (;;) {
        const current = masters().currentId
        const rows = await pools.read(
          selectTenantKeysUnderOthers({ master_key_id: current, limit: rowsAtOnce }),
        )
        for (const row of rows) {
          const bytes = openBytes(masters(), row)
          const again = sealTenantKey(masters(), row, bytes)
          bytes.fill(0)
          done += (await pools.single(updateTenantKey({ ...again, was: row.master_key_id }))).rowCount
          await faults.at('keys.sealed')
        }
        if (rows.length < rowsAtOnce) return done
      }
    },
  }
}

type MasterKeyFault = { readonly kind: 'missing' | 'other'; readonly keyId: string }

/** With other master keys the process would seal what nobody opens later, so it has to hold all that the database needs. */
export async function proveMasterKeys(pools: Pools, masters: KeyProvider): Promise<MasterKeyFault | null> {
  for (const row of await pools.read(selectMasterKeyWitnesses({}))) {
    try {
      openBytes(masters, row).fill(0)
    } catch (error) {
      if (!(error instanceof EnvelopeError)) throw error
      return { kind: error.reason === 'unknown_key' ? 'missing' : 'other', keyId: row.master_key_id }
    }
  }
  return null
}

const keyBytes = 32
const rowsAtOnce = 100
/** A key is read again in a millisecond. */
const knownMax = 10_000

function contextOf({ account_id: accountId, mode, id }: Omit<TenantKeyRow, 'sealed' | 'master_key_id'>) {
  return { what: 'vault.tenant_key', accountId, mode, id }
}

function sealTenantKey(
  masters: KeyProvider,
  { account_id, mode, id }: Omit<TenantKeyRow, 'sealed' | 'master_key_id'>,
  bytes: Buffer,
): TenantKeyRow {
  const place = { account_id, mode, id }
  return { ...place, sealed: seal(masters, bytes, contextOf(place)), master_key_id: masters.currentId }
}

function openBytes(masters: KeyProvider, row: TenantKeyRow): Buffer {
  return open(masters, row.sealed, contextOf(row))
}

function openTenantKey(masters: KeyProvider, row: TenantKeyRow): TenantKey {
  const bytes = openBytes(masters, row)
  const key = createSecretKey(bytes)
  bytes.fill(0)
  const provider: KeyProvider = {
    currentId: row.id,
    rootId: row.id,
    key(id) {
      if (id !== row.id) throw new UnknownKeyError(id)
      return key
    },
  }
  const fingerprints = createSecretKey(Buffer.from(hkdfSync('sha256', key, '', 'prokura/fingerprint/v1', 32)))
  return { provider, fingerprints }
}
