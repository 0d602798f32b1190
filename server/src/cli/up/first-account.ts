import { rmSync } from 'node:fs'
import type { Id } from '../../core/id.ts'
import { selectAccounts } from '../../domain/accounts/api-keys/api-keys.sql.ts'
import { CommandFailure } from '../failure.ts'
import type { Administration, OpenedAccount } from '../operator/administer.ts'
import { type StateFolder, stateFiles } from './state-folder.ts'

/**
 * The account that `up` uses: the one that the folder remembers, or a new one in an empty database. When the folder was lost and the
 * database has accounts, no new one is opened: the operator names the account, and it gets new keys.
 */
export async function firstAccount(
  admin: Administration,
  state: StateFolder,
  asked: string | undefined,
): Promise<OpenedAccount> {
  const accounts = await admin.parts.pools.read(selectAccounts({}))
  const holds = (id: string | undefined) => accounts.some((account) => account.id === id)
  const known = remembered(state, holds)
  if (known && (asked === undefined || asked === known.account_id)) {
    if (!holds(known.account_id)) throw new CommandFailure(strange(state, known.account_id))
    return known
  }
  if (asked !== undefined) {
    if (!holds(asked)) throw new CommandFailure(`There is no account ${asked} in this database.`)
    return remember(state, await admin.newStartingKeys(asked as Id<'acct'>)) // as it stands in the database
  }
  if (accounts.length > 0) throw new CommandFailure(lost(state, accounts))
  return opened(admin, state)
}

/** Written down before anybody else can see the account: if the process dies at this moment, no account is left without known keys. */
async function opened(admin: Administration, state: StateFolder): Promise<OpenedAccount> {
  const account = await admin.openAccount('First account', (draft) =>
    state.write(stateFiles.accountDraft, draft),
  )
  return remember(state, account)
}

function remembered(state: StateFolder, holds: (id: string) => boolean): OpenedAccount | null {
  const known = state.read<OpenedAccount>(stateFiles.account)
  if (known) return known
  const draft = state.read<OpenedAccount>(stateFiles.accountDraft)
  return draft && holds(draft.account_id) ? remember(state, draft) : null
}

function remember(state: StateFolder, account: OpenedAccount): OpenedAccount {
  state.write(stateFiles.account, account)
  rmSync(state.file(stateFiles.accountDraft), { force: true })
  return account
}

const shownMax = 5

function lost(state: StateFolder, accounts: readonly { id: string; name: string }[]): string {
  const shown = accounts.slice(0, shownMax).map(({ id, name }) => `${id} (${name})`)
  const more = accounts.length > shownMax ? ` and ${accounts.length - shownMax} more` : ''
  return (
    `The database already has accounts, but ${state.file(stateFiles.account)}, which names the account of this service, is missing. ` +
    `Restore that file from a copy of the folder, or add --account to continue with one of these accounts and new keys: ${shown.join(', ')}${more}.`
  )
}

function strange(state: StateFolder, id: string): string {
  return (
    `${state.file(stateFiles.account)} names ${id}, which is not in this database. Set DATABASE_URL to the database of that account, ` +
    'or name another folder with --state DIR.'
  )
}
