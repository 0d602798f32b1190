import type { Mode, Tenant } from '../contract/context.ts'
import { statement } from '../contract/statement.ts'
import { ratesIn } from '../platform/limits/rates.sql.ts'

/** How many cards were entered in a time, counted by all vaults together. */
export const cardRates = ratesIn('card_vault.rate_counters', 'card_')

export type CardSession = {
  account_id: Tenant['accountId']
  mode: Mode
  key_id: string
  profile_id: string
  may: string[]
  is_vouched: boolean
}

export const selectCardSession = statement<CardSession, { hash: Buffer }>(
  'select_card_session',
  `/* tenantless: a session is found by its hash, and says whose it is */
   select account_id, mode, key_id, profile_id, may, is_vouched from card_sessions where hash = $hash`,
)

type ProfileKey = { account_id: string; mode: string; profile_id: string }
type RefusalKey = ProfileKey & { address: string }

/** How many were refused in a row, here and by banks. */
export const selectRefusals = statement<{ of_profile: number; of_address: number }, RefusalKey>(
  'select_refusals',
  `select coalesce(sum(refused) filter (where profile_id = $profile_id), 0)::int as of_profile,
     coalesce(sum(refused) filter (where address = $address), 0)::int as of_address
   from (
     select profile_id, address, refused from card_vault.refusals
     where account_id = $account_id and mode = $mode and (profile_id = $profile_id or address = $address) and expires_at > now()
     union all
     select profile_id, address, refused from refused_cards
     where account_id = $account_id and mode = $mode and (profile_id = $profile_id or address = $address)
   ) r`,
)

export const addRefusal = statement<{ refused: number }, RefusalKey & { seconds: number }>(
  'add_refusal',
  `insert into card_vault.refusals as r (account_id, mode, profile_id, address, refused, expires_at)
   values ($account_id, $mode, $profile_id, $address, 1, now() + make_interval(secs => $seconds))
   on conflict (account_id, mode, profile_id, address) do update
     set refused = case when r.expires_at > now() then least(r.refused, 1000) else 0 end + 1, expires_at = excluded.expires_at
   returning refused`,
)

/** A profile whose card was taken has none any more, and none of its own are counted at its addresses. */
export const deleteRefusals = statement<never, ProfileKey>(
  'delete_refusals',
  `delete from card_vault.refusals where account_id = $account_id and mode = $mode and profile_id = $profile_id`,
)

export const sweepRefusals = statement<never, { limit: number }>(
  'sweep_refusals',
  `/* tenantless: what has expired is nobody's */
   delete from card_vault.refusals where ctid = any (array(
     select ctid from card_vault.refusals where expires_at < now() order by expires_at limit $limit for update skip locked
   ))`,
)

export type TenantKeyRow = {
  account_id: string
  mode: string
  id: string
  sealed: Buffer
  master_key_id: string
}

export const selectTenantKey = statement<TenantKeyRow, { account_id: string; mode: string }>(
  'select_tenant_key',
  `select account_id, mode, id, sealed, master_key_id from card_vault.tenant_keys
   where account_id = $account_id and mode = $mode`,
)

/** Where several calls need the first key of a tenant at once, one of their keys is kept. */
export const insertTenantKey = statement<TenantKeyRow, TenantKeyRow>(
  'insert_tenant_key',
  `insert into card_vault.tenant_keys (account_id, mode, id, sealed, master_key_id)
   values ($account_id, $mode, $id, $sealed, $master_key_id)
   on conflict (account_id, mode) do nothing
   returning account_id, mode, id, sealed, master_key_id`,
)

/** One witness of each master key. */
export const selectMasterKeyWitnesses = statement<TenantKeyRow, Record<never, never>>(
  'select_master_key_witnesses',
  `/* tenantless: of the installation */
   select distinct on (master_key_id) account_id, mode, id, sealed, master_key_id
   from card_vault.tenant_keys order by master_key_id, account_id, mode`,
)

export const selectTenantKeysUnderOthers = statement<TenantKeyRow, { master_key_id: string; limit: number }>(
  'select_tenant_keys_under_others',
  `/* tenantless: a new master key seals the keys of all tenants again */
   select account_id, mode, id, sealed, master_key_id from card_vault.tenant_keys
   where master_key_id <> $master_key_id order by account_id, mode limit $limit`,
)

export const updateTenantKey = statement<never, TenantKeyRow & { was: string }>(
  'update_tenant_key',
  `update card_vault.tenant_keys set sealed = $sealed, master_key_id = $master_key_id
   where account_id = $account_id and mode = $mode and id = $id and master_key_id = $was`,
)

export type RecordRow = {
  account_id: string
  mode: string
  id: string
  brand: string
  last4: string
  exp_month: number
  exp_year: number
  sealed: Buffer
  has_code: boolean
  source: unknown
  test_card: string | null
}

const recordColumns =
  'account_id, mode, id, brand, last4, exp_month, exp_year, sealed, has_code, source, test_card'

/**
 * A number of a rail that is known keeps its record; what is said about it is as the rail says it now. What a person enters has no
 * fingerprint, and so a record of its own.
 */
export const upsertRecord = statement<
  RecordRow,
  Omit<RecordRow, 'source'> & {
    kind: string
    source: string | null
    fingerprint: Buffer | null
    keep_until: Date
  }
>(
  'upsert_record',
  `with kept as (
     insert into card_vault.records (account_id, mode, id, kind, fingerprint, brand, last4, exp_month, exp_year, sealed, has_code, source,
       test_card, keep_until)
     values ($account_id, $mode, $id, $kind, $fingerprint, $brand, $last4, $exp_month, $exp_year, $sealed, $has_code, $source::jsonb,
       $test_card, $keep_until)
     on conflict (account_id, mode, fingerprint) do update
       set exp_month = excluded.exp_month, exp_year = excluded.exp_year, has_code = excluded.has_code, source = excluded.source,
         keep_until = greatest(card_vault.records.keep_until, excluded.keep_until)
     returning ${recordColumns}
   ), noted as (
     insert into card_vault.acts (account_id, mode, record_id, kind) select account_id, mode, id, 'sealed' from kept
   )
   select ${recordColumns} from kept`,
)

type RecordKey = { account_id: string; mode: string; id: string }

export const selectRecord = statement<RecordRow, RecordKey>(
  'select_record',
  `select ${recordColumns} from card_vault.records
   where account_id = $account_id and mode = $mode and id = $id and keep_until > now()`,
)

export const insertUse = statement<never, RecordKey>(
  'insert_use',
  `insert into card_vault.acts (account_id, mode, record_id, kind) values ($account_id, $mode, $id, 'put_in_place')`,
)

/** Whether somebody has this card, in whichever profile of the account. */
const isKept = `exists (select from kept_cards k where k.account_id = r.account_id and k.mode = r.mode and k.vault_token = r.id)`

/** A card that a person has entered goes with the last that has it, and one of a rail when a worker says so. */
export const deleteRecord = statement<{ id: string }, RecordKey>(
  'delete_record',
  // guard kept-cards-are-not-shredded: deleting one of two methods on a card does not take the other one its card
  `with gone as (
     delete from card_vault.records r where account_id = $account_id and mode = $mode and id = $id and (kind = 'issued' or not ${isKept})
     returning account_id, mode, id
   ), noted as (
     insert into card_vault.acts (account_id, mode, record_id, kind) select account_id, mode, id, 'shredded' from gone
   )
   select id from gone`,
)

export const deleteExpiredRecords = statement<RecordKey, { limit: number }>(
  'delete_expired_records',
  `/* tenantless: the time of records of all tenants ends */
   with gone as (
     delete from card_vault.records where (account_id, mode, id) in (
       select account_id, mode, id from card_vault.records
       where kind = 'issued' and keep_until <= now() order by keep_until limit $limit for update skip locked)
     returning account_id, mode, id
   ), noted as (
     insert into card_vault.acts (account_id, mode, record_id, kind) select account_id, mode, id, 'expired' from gone
   )
   select account_id, mode, id from gone`,
)

/** From here on a card that a person has entered goes when nobody has it, and not by its time. */
export const updateKeptRecords = statement<never, Record<never, never>>(
  'update_kept_records',
  `/* tenantless: of the cards of all tenants */
   update card_vault.records r set keep_until = 'infinity' where kind = 'entered' and keep_until < 'infinity' and ${isKept}`,
)

/** Who asks about a card in the last moment of its hour keeps it a moment later: so it goes a minute after that. */
export const deleteForgottenRecords = statement<RecordKey, { limit: number }>(
  'delete_forgotten_records',
  // guard forgotten-cards-go: the vault forgets a card that nobody has
  // guard kept-cards-stay: the vault forgets no card that somebody has
  `/* tenantless: of the cards of all tenants */
   with gone as (
     delete from card_vault.records where (account_id, mode, id) in (
       select account_id, mode, id from card_vault.records r
       where kind = 'entered' and (keep_until = 'infinity' or keep_until <= now() - interval '1 minute') and not ${isKept}
       limit $limit for update skip locked)
     returning account_id, mode, id
   ), noted as (
     insert into card_vault.acts (account_id, mode, record_id, kind) select account_id, mode, id, 'expired' from gone
   )
   select account_id, mode, id from gone`,
)

type Bound = { cart: string; attempt: number; origin: string }

/**
 * A new grant takes the place of one that nobody has redeemed. After a redemption there is none any more, and a worker whose lease was
 * taken over gets none after the worker that took it.
 */
export const upsertGrant = statement<
  { hash: Buffer },
  RecordKey & Bound & { hash: Buffer; lease_token: bigint; seconds: number }
>(
  'upsert_grant',
  // guard grants-of-later-leases: a worker that was replaced gets no card
  // guard one-redemption-of-a-card: after a card was given out there is no second grant of it
  `with granted as (
     insert into card_vault.grants as g (hash, account_id, mode, record_id, cart, attempt, origin, lease_token, expires_at)
     select $hash, account_id, mode, id, $cart, $attempt, $origin, $lease_token, now() + make_interval(secs => $seconds)
     from card_vault.records where account_id = $account_id and mode = $mode and id = $id and keep_until > now()
     on conflict (account_id, mode, record_id) do update
       set hash = excluded.hash, cart = excluded.cart, attempt = excluded.attempt, origin = excluded.origin,
         lease_token = excluded.lease_token, granted_at = excluded.granted_at, expires_at = excluded.expires_at, refusals = 0
       where g.redeemed_at is null and g.lease_token <= excluded.lease_token
     returning hash, account_id, mode, record_id, cart, attempt, origin
   ), noted as (
     insert into card_vault.acts (account_id, mode, record_id, kind, cart, attempt, origin)
     select account_id, mode, record_id, 'granted', cart, attempt, origin from granted
   )
   select hash from granted`,
)

/** Why there is no new grant. */
export const selectGrantState = statement<{ is_redeemed: boolean }, RecordKey>(
  'select_grant_state',
  `select g.redeemed_at is not null as is_redeemed from card_vault.records r
   join card_vault.grants g on g.account_id = r.account_id and g.mode = r.mode and g.record_id = r.id
   where r.account_id = $account_id and r.mode = $mode and r.id = $id and r.keep_until > now()`,
)

// guard grants-for-their-origin: a grant gives the card to a frame of its origin alone
const redeemable = `g.hash = $hash and g.cart = $cart and g.attempt = $attempt and g.origin = $origin
     and g.redeemed_at is null and g.expires_at > now() and g.refusals < $refusals_max`

type Redemption = Bound & { hash: Buffer; refusals_max: number }

const grantedColumns = recordColumns
  .split(', ')
  .map((column) => `r.${column}`)
  .join(', ')

export const selectRedeemable = statement<RecordRow, Redemption>(
  'select_redeemable',
  `/* tenantless: a grant is found by its hash, and says whose it is */
   select ${grantedColumns} from card_vault.grants g
   join card_vault.records r on r.account_id = g.account_id and r.mode = g.mode and r.id = g.record_id and r.keep_until > now()
   where ${redeemable}`,
)

export const redeemGrant = statement<RecordRow, Redemption>(
  'redeem_grant',
  `/* tenantless: a grant is found by its hash, and says whose it is */
   with redeemed as (
     update card_vault.grants g set redeemed_at = now() where ${redeemable}
     returning g.account_id, g.mode, g.record_id, g.cart, g.attempt, g.origin
   ), noted as (
     insert into card_vault.acts (account_id, mode, record_id, kind, cart, attempt, origin)
     select account_id, mode, record_id, 'redeemed', cart, attempt, origin from redeemed
   )
   select ${grantedColumns} from redeemed g
   join card_vault.records r on r.account_id = g.account_id and r.mode = g.mode and r.id = g.record_id and r.keep_until > now()`,
)

/** Counted on the grant, so that who holds its id can try only a few carts, attempts and origins. */
export const refuseGrant = statement<never, { hash: Buffer }>(
  'refuse_grant',
  `/* tenantless: a grant is found by its hash, and says whose it is */
   with refused as (
     update card_vault.grants set refusals = least(refusals + 1, 1000) where hash = $hash
     returning account_id, mode, record_id, cart, attempt, refusals
   )
   insert into card_vault.acts (account_id, mode, record_id, kind, cart, attempt)
   select account_id, mode, record_id, 'refused', cart, attempt from refused where refusals <= 10`,
)

type VaultCounts = {
  records: number
  open_grants: number
  /** Tenants whose keys an older master key seals. */
  behind: number
}

export const countVault = statement<VaultCounts, { master_key_id: string }>(
  'count_vault',
  `/* tenantless: of the installation */
   select (select count(*)::int from card_vault.records) as records,
     (select count(*)::int from card_vault.grants where redeemed_at is null and expires_at > now()) as open_grants,
     (select count(*)::int from card_vault.tenant_keys where master_key_id <> $master_key_id) as behind`,
)

/** Who may read the tables beside their owner and us (a superuser may always, and no grant says so), and whether we may use them. */
export const selectReaders = statement<
  { readers: string[]; can_use: boolean | null; owner: string | null; role: string },
  Record<never, never>
>(
  'select_readers',
  `/* tenantless: of the database */
   select coalesce(array_agg(distinct coalesce(r.rolname::text, 'public'))
       filter (where a.grantee is not null and r.rolname is distinct from current_user and r.rolname is distinct from o.rolname), '{}') as readers,
     bool_and(has_schema_privilege('card_vault', 'usage') and has_table_privilege('card_sessions', 'select')
       and has_table_privilege('kept_cards', 'select') and has_table_privilege('refused_cards', 'select') and has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
       and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete')) as can_use,
     min(o.rolname::text) as owner, current_user::text as role
   from pg_class c
   join pg_roles o on o.oid = c.relowner
   left join lateral aclexplode(c.relacl) a on a.privilege_type = 'SELECT'
   left join pg_roles r on r.oid = a.grantee
   where c.relnamespace = to_regnamespace('card_vault') and c.relkind = 'r'`,
)
