import pg from 'pg'
import { statement } from '../../contract/statement.ts'
import type { Pools } from './pool.ts'
import { withSession } from './session.ts'

/** The tables whose rows are written once: API and worker may not change or remove them, because nobody may change what happened. */
const writtenOnce = ['events', 'event_rows', 'audit_entries', 'audit_batches'] as const

/**
 * The grants of the role of API and worker, on the present schema and on tables that later migrations make. The owner of the tables runs
 * them after each migration; running them again changes nothing. docs/operations.md shows them.
 */
export function runtimeGrants(role: string): string[] {
  const to = pg.escapeIdentifier(role)
  return [
    `grant usage on schema public to ${to}`,
    `grant select, insert, update, delete on all tables in schema public to ${to}`,
    `grant usage, select on all sequences in schema public to ${to}`,
    `alter default privileges in schema public grant select, insert, update, delete on tables to ${to}`,
    `alter default privileges in schema public grant usage, select on sequences to ${to}`,
    `revoke update, delete on ${writtenOnce.join(', ')} from ${to}`,
    `revoke delete on audit_heads from ${to}`,
    `revoke insert, update, delete on schema_migrations from ${to}`,
  ]
}

/**
 * Runs the grants in one transaction, so that the role never has half of them. Where the owner itself serves, there is no role to grant
 * to.
 */
export async function grantRuntime(ownerUrl: string, role: string): Promise<void> {
  if (decodeURIComponent(new URL(ownerUrl).username) === role) return
  await withSession({ url: ownerUrl, applicationName: 'prokura grants' }, (client) =>
    client.query(`begin; set local lock_timeout = '10s'; ${runtimeGrants(role).join('; ')}; commit`),
  )
}

type RoleRights = {
  role: string
  is_superuser: boolean
  is_owner: boolean
  /** Write-once tables whose rows the role may change or remove. */
  can_rewrite: string[]
}

const selectRights = statement<RoleRights, { tables: string[] }>(
  'select_role_rights',
  `/* tenantless: of the database */
   select current_user::text as role, (select rolsuper from pg_roles where rolname = current_user) as is_superuser,
     bool_or(pg_has_role(current_user, c.relowner, 'usage')) as is_owner,
     coalesce(array_agg(c.relname::text order by c.relname) filter (where has_table_privilege(c.oid, 'update, delete, truncate')), '{}')
       as can_rewrite
   from pg_class c where c.oid in (select to_regclass(name) from unnest($tables::text[]) as name)`,
)

/** The rights of the connected role on write-once tables. */
export async function readRights(pools: Pick<Pools, 'read'>): Promise<RoleRights> {
  const [rights] = await pools.read(selectRights({ tables: [...writtenOnce] }))
  if (!rights) throw new Error('the database did not say who we are')
  return rights
}

/** In a sentence, which protection is weaker because this role serves; null: none is. */
export function weaknessOf({ role, is_superuser, is_owner, can_rewrite }: RoleRights): string | null {
  if (!is_superuser && !is_owner && can_rewrite.length === 0) return null
  const what = is_superuser
    ? 'is a superuser'
    : is_owner
      ? 'owns the tables'
      : `may change ${can_rewrite.join(', ')}`
  return (
    `The database role "${role}", which API and worker use, ${what}: an attacker in one of them can remove events and entries, and ` +
    'cut off the ends of chains. What is left still verifies, and only exported heads show what was cut off. ' +
    'docs/operations.md ("Two roles") says how to give them a role of their own.'
  )
}
