import { grantVault } from '../../platform/database/vault-role.ts'
import { CommandFailure } from '../failure.ts'
import { roleOf } from '../role-config.ts'

/** Gives the role of the vault its rights, and to no other role any. */
export async function grantVaultRole(ownerUrl: string, vaultUrl: string): Promise<void> {
  const role = roleOf(vaultUrl)
  if (role === roleOf(ownerUrl))
    throw new CommandFailure(
      `DATABASE_VAULT_URL names "${role}", the role that owns the tables. The vault needs a role of its own. ${vaultRoleRemedy}`,
    )
  if ((await grantVault(ownerUrl, role)) === 'no_role')
    throw new CommandFailure(
      `There is no database role "${role}", which DATABASE_VAULT_URL names. ${vaultRoleRemedy}`,
    )
}

/** For databases in which this program may make no roles. */
export const vaultRoleRemedy =
  'Have an administrator of the database run: create role prokura_vault login password \'…\'. Then name it in DATABASE_VAULT_URL, and run `prokura migrate`, which gives it its rights. docs/operations.md ("The vault") says more.'
