import type { Mode } from '../../contract/context.ts'
import type { Id } from '../../core/id.ts'
import { selectAccounts } from '../../domain/accounts/api-keys/api-keys.sql.ts'
import { processEnvironment } from '../../platform/config/config.ts'
import type { Pools } from '../../platform/database/pool.ts'
import { CommandFailure } from '../failure.ts'
import { roleConfig } from '../role-config.ts'
import { openStateFolder, stateFiles } from '../up/state-folder.ts'
import { type Administration, administer } from './administer.ts'

/** How a command says in which account it works. */
type ChosenAccount = { state?: string; account?: string; mode: Mode; as?: string }

/** Work of an operator in the account that the options name. */
export async function inAccount<T>(
  options: ChosenAccount,
  work: (admin: Administration, tenant: { accountId: Id<'acct'>; mode: Mode }) => Promise<T>,
): Promise<T> {
  return administer(
    roleConfig(options.state),
    async (admin) => work(admin, await tenantOf(admin.parts.pools, options)),
    options.as,
  )
}

export async function tenantOf(
  pools: Pick<Pools, 'read'>,
  options: ChosenAccount,
): Promise<{ accountId: Id<'acct'>; mode: Mode }> {
  const accounts = await pools.read(selectAccounts({}))
  const wanted = options.account ?? rememberedAccount(options) ?? onlyOne(accounts)
  const account = accounts.find(({ id }) => id === wanted)
  if (!account)
    throw new CommandFailure(
      `There is no account ${wanted} in this database. \`prokura accounts list\` shows all accounts.`,
    )
  return { accountId: account.id, mode: options.mode }
}

/** The account that `up` made, when this command is used on its state folder. */
function rememberedAccount({ state }: ChosenAccount): string | null {
  const env = processEnvironment()
  if (state === undefined && env.DATABASE_URL) return null
  const folder = openStateFolder(state ?? env.PROKURA_STATE_DIR ?? '.prokura', { create: false })
  return folder.read<{ account_id: string }>(stateFiles.account)?.account_id ?? null
}

function onlyOne(accounts: readonly { id: string }[]): string {
  const [only] = accounts
  if (only && accounts.length === 1) return only.id
  throw new CommandFailure(
    accounts.length === 0
      ? 'There is no account yet. Create one with `prokura accounts create`.'
      : `There are ${accounts.length} accounts. Name one of them with --account. \`prokura accounts list\` shows them.`,
  )
}
