import pg from 'pg'
import { withSession } from './session.ts'

/** The role of the vault owns its schema, may use it, or is not there. */
type VaultRights = 'owns' | 'uses' | 'no_role'

type Facts = { has_role: boolean; is_superuser: boolean; has_test_clock: boolean; others: string[] | null }

const facts = `/* tenantless: of the database */
  select exists (select from pg_roles where rolname = $1) as has_role,
    (select rolsuper from pg_roles where rolname = current_user) as is_superuser,
    to_regclass('test_clock') is not null as has_test_clock,
    (select array_agg(c.relname::text) from pg_class c join pg_roles o on o.oid = c.relowner
     where c.relnamespace = to_regnamespace('card_vault') and c.relkind = 'r' and o.rolname <> $1) as others`

/**
 * Gives the schema of the vault to its role, after each migration, and to nobody else. A superuser gives it away for good; any other owner
 * of the tables keeps them and grants their use. Running it again changes nothing.
 */
export async function grantVault(ownerUrl: string, role: string): Promise<VaultRights> {
  return withSession({ url: ownerUrl, applicationName: 'prokura grants' }, async (client) => {
    const { rows } = await client.query<Facts>(facts, [role])
    const [found] = rows
    if (!found?.has_role) return 'no_role'
    const run = (statements: readonly string[]) =>
      client.query(`begin; set local lock_timeout = '10s'; ${statements.join('; ')}; commit`)
    const to = pg.escapeIdentifier(role)
    // What its views say of sessions goes by the clock of the database, which is then a table.
    const clock = found.has_test_clock ? [`grant select on test_clock to ${to}`] : []
    // It was given away before: there is nothing left to grant.
    if (found.others === null) {
      await run([...commonGrants(to), ...clock])
      return 'owns'
    }
    if (!found.is_superuser) {
      await run([...vaultGrants(role), ...clock])
      return 'uses'
    }
    const given = found.others.map(
      (table) => `alter table card_vault.${pg.escapeIdentifier(table)} owner to ${to}`,
    )
    await run([...commonGrants(to), ...clock, ...given, `alter schema card_vault owner to ${to}`])
    return 'owns'
  })
}

/** Without a superuser, the grants of the vault's role. docs/operations.md shows them. */
export function vaultGrants(role: string): string[] {
  const to = pg.escapeIdentifier(role)
  return [
    ...commonGrants(to),
    `grant usage on schema card_vault to ${to}`,
    `grant select, insert, update, delete on all tables in schema card_vault to ${to}`,
    `grant usage, select on all sequences in schema card_vault to ${to}`,
  ]
}

/** To see the version of the schema, who may leave a card, which cards somebody still has and how many were refused: nothing else of the product. */
function commonGrants(to: string): string[] {
  return [
    `grant usage on schema public to ${to}`,
    `grant select on schema_migrations, card_sessions, kept_cards, refused_cards to ${to}`,
  ]
}
