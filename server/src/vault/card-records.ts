import { createHash, createHmac, type KeyObject, randomBytes } from 'node:crypto'
import type { Pools } from '../platform/database/pool.ts'
import { open, seal } from '../platform/secrets/envelope.ts'
import { newToken } from '../platform/secrets/keyed-hash.ts'
import type { CardRecord } from '../platform/vault-client/vault-words.ts'
import { type CardFault, type CardSecrets, checkCard, isSecurityCode } from './check-card.ts'
import type { SecurityCodes } from './security-codes.ts'
import type { Tenant, TenantKeys } from './tenant-keys.ts'
import {
  deleteExpiredRecords,
  deleteForgottenRecords,
  deleteRecord,
  type RecordRow,
  selectRecord,
  updateKeptRecords,
  upsertRecord,
} from './vault.sql.ts'

/** What a call to a rail has found: a card, with the place where the rail tells it again. */
type FoundCard = CardSecrets & {
  readonly kind: 'issued'
  readonly securityCode: string | null
  readonly source: CardSource | null
  readonly keepUntil: Date
}

/** What a person has typed. Its code is kept apart: it belongs to what is paid with it next, and not to the card. */
type EnteredCard = CardSecrets & {
  readonly kind: 'entered'
  /** In test mode, what the number stands for. */
  readonly testCard: string | null
}

/** For how long an entered card is kept that nobody has. */
const unclaimedMs = 3_600_000
const rowsAtOnce = 500

/** A question to the rail, and where in its answer the parts of the card stand. */
type CardSource = {
  readonly url: string
  readonly number: string
  readonly securityCode: string | null
}

export type CardRecords = {
  keep(tenant: Tenant, card: FoundCard | EnteredCard): Promise<CardRecord | { readonly fault: CardFault }>
  describe(tenant: Tenant, id: string): Promise<CardRecord | null>
  /** The row, to be opened by `secretsOf`; null: there is none, or its time is over. */
  find(tenant: Tenant, id: string): Promise<RecordRow | null>
  secretsOf(row: RecordRow): Promise<CardSecrets>
  /** Destroys the number, its key and its code, unless a person has entered it and somebody still has it. */
  shred(tenant: Tenant, id: string): Promise<boolean>
  /** Destroys what has served its time, and what people have entered and nobody has. */
  shredExpired(): Promise<number>
}

export function createCardRecords(deps: {
  pools: Pools
  keys: TenantKeys
  codes: SecurityCodes
}): CardRecords {
  const { pools, keys, codes } = deps
  const find: CardRecords['find'] = async ({ accountId, mode }, id) => {
    const [row] = await pools.read(selectRecord({ account_id: accountId, mode, id }))
    return row ?? null
  }
  return {
    find,
    async keep(tenant, card) {
      const now = new Date()
      const checked = checkCard(card, { year: now.getUTCFullYear(), month: now.getUTCMonth() + 1 })
      if (typeof checked === 'string') return { fault: checked }
      const securityCode = card.kind === 'issued' ? card.securityCode : null
      if (securityCode !== null && !isSecurityCode(securityCode, checked.brand))
        return { fault: 'security_code' }
      const { provider, fingerprints } = await keys.of(tenant)
      const id = newToken(card.kind === 'issued' ? 'vrec_' : `pr_vt_${tenant.mode}_`, randomBytes)
      const place = { account_id: tenant.accountId, mode: tenant.mode, id }
      const plaintext = Buffer.from(JSON.stringify([card.number, card.holder]), 'utf8')
      const sealed = seal(provider, plaintext, contextOf(place))
      plaintext.fill(0)
      const { rows } = await pools.single(
        upsertRecord({
          ...place,
          ...ofItsKind(card, fingerprints),
          sealed,
          brand: checked.brand,
          last4: checked.last4,
          exp_month: card.expMonth,
          exp_year: card.expYear,
          has_code: securityCode !== null,
        }),
      )
      const [row] = rows
      if (!row) throw new Error('a record was neither made nor found')
      if (securityCode !== null) codes.keep({ ...tenant, id: row.id }, securityCode)
      return recordOf(row)
    },
    async describe(tenant, id) {
      const row = await find(tenant, id)
      return row === null ? null : recordOf(row)
    },
    async secretsOf(row) {
      const { provider } = await keys.of({ accountId: row.account_id, mode: row.mode })
      const plaintext = open(provider, row.sealed, contextOf(row))
      const [number, holder] = JSON.parse(plaintext.toString('utf8')) as [string, string | null] // sealed by `keep`
      plaintext.fill(0)
      return { number, holder, expMonth: row.exp_month, expYear: row.exp_year }
    },
    async shred(tenant, id) {
      codes.forget({ ...tenant, id })
      const { rows } = await pools.single(
        deleteRecord({ account_id: tenant.accountId, mode: tenant.mode, id }),
      )
      return rows.length > 0
    },
    async shredExpired() {
      await pools.single(updateKeptRecords({}))
      let shredded = 0
      for (const shredSome of [deleteExpiredRecords, deleteForgottenRecords])
        for (let isMore = true; isMore; ) {
          const { rows } = await pools.single(shredSome({ limit: rowsAtOnce }))
          for (const { account_id: accountId, mode, id } of rows) codes.forget({ accountId, mode, id })
          shredded += rows.length
          isMore = rows.length === rowsAtOnce
        }
      return shredded
    },
  }
}

function ofItsKind(card: FoundCard | EnteredCard, fingerprints: KeyObject) {
  if (card.kind === 'entered') {
    const { kind, testCard: test_card } = card
    return {
      kind,
      fingerprint: null,
      source: null,
      test_card,
      keep_until: new Date(Date.now() + unclaimedMs),
    }
  }
  const { kind, source, keepUntil: keep_until } = card
  return {
    kind,
    fingerprint: createHmac('sha256', fingerprints).update(card.number).digest(),
    source: source === null ? null : JSON.stringify(source),
    test_card: null,
    keep_until,
  }
}

/** Ids of grants are secrets for five minutes, so that only their hash is stored. */
export function hashOfGrant(id: string): Buffer {
  return createHash('sha256').update(id).digest()
}

function contextOf({ account_id: accountId, mode, id }: { account_id: string; mode: string; id: string }) {
  return { what: 'vault.record', accountId, mode, id }
}

function recordOf({ id, brand, last4, exp_month, exp_year, test_card }: RecordRow): CardRecord {
  return { id, brand, last4, expMonth: exp_month, expYear: exp_year, testCard: test_card }
}
