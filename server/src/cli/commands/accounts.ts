import type { Command } from 'commander'
import type { ActingContext } from '../../contract/context.ts'
import type { Id } from '../../core/id.ts'
import { selectAccounts, selectLiveKeyCounts } from '../../domain/accounts/api-keys/api-keys.sql.ts'
import { renameAccount, setAccountTimezone } from '../../domain/accounts/api-keys/public.ts'
import { followTimezone } from '../../domain/policies/public.ts'
import type { Parts } from '../../parts.ts'
import { normalizeTimezone } from '../../schema/time-zones.ts'
import { CommandFailure } from '../failure.ts'
import { administer } from '../operator/administer.ts'
import { asSomebody } from '../operator/operator.ts'
import { readDatabase } from '../operator/read-database.ts'
import { roleConfig } from '../role-config.ts'
import { out, outJson, styled, table } from '../terminal.ts'
import { nameOfAccount } from './name-of-account.ts'

type Options = { state?: string; json?: boolean; as?: string }

export function defineAccounts(accounts: Command): void {
  common(asSomebody(accounts.command('create')))
    .description('Create an account with its first API keys. The keys are shown only once.')
    .argument('[name]', 'the name of the account', 'New account')
    .action(create)
  common(accounts.command('list'))
    .description('List the accounts, oldest first, with the number of valid keys in each mode.')
    .action(list)
  common(asSomebody(accounts.command('rename')))
    .description('Rename an account. Its id and its keys stay the same.')
    .argument('<account_id>')
    .argument('<name>', 'the name of the account')
    .action(rename)
  common(asSomebody(accounts.command('timezone')))
    .description('Set the time zone in which days begin under policies that name none. It is UTC at first.')
    .argument('<account_id>')
    .argument('<timezone>', 'a name of the IANA time zone database, such as Europe/Berlin')
    .action(setZone)
}

function common(command: Command): Command {
  return command
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--json', 'print one line of JSON')
}

async function create(given: string, options: Options): Promise<void> {
  const name = nameOfAccount(given)
  const account = await administer(roleConfig(options.state), (admin) => admin.openAccount(name), options.as)
  if (options.json) return outJson(account)
  out(`${styled('bold', account.account_id)}  ${name}`)
  for (const [key, token] of Object.entries(account.keys)) out(`  ${key.padEnd(17)} ${token}`)
  out(styled('dim', 'Copy the keys now. Only their hashes are stored, so they cannot be shown again.'))
}

async function list(options: Options): Promise<void> {
  const [accounts, counts] = await readDatabase(roleConfig(options.state), ({ pools }) =>
    Promise.all([pools.read(selectAccounts({})), pools.read(selectLiveKeyCounts({}))]),
  )
  const keysOf = (id: string, mode: string) =>
    counts.find((count) => count.account_id === id && count.mode === mode)?.keys ?? 0
  const data = accounts.map(({ id, name, created_at }) => ({
    id,
    object: 'account',
    name,
    live_keys: { test: keysOf(id, 'test'), live: keysOf(id, 'live') },
    created_at: created_at.toISOString(),
  }))
  if (options.json) return outJson({ object: 'list', data })
  if (data.length === 0) return out('There is no account yet. Create one with `prokura accounts create`.')
  const cells = data.map(({ id, name, live_keys: { test, live }, created_at }) => [
    id,
    name,
    String(test),
    String(live),
    created_at,
  ])
  for (const line of table(['ID', 'NAME', 'TEST KEYS', 'LIVE KEYS', 'CREATED'], cells)) out(line)
}

async function rename(accountId: string, given: string, options: Options): Promise<void> {
  const name = nameOfAccount(given)
  const account = await administer(
    roleConfig(options.state),
    async ({ parts, inTenant }) => {
      const known = await knownAccount(parts, accountId)
      return inTenant({ accountId: known, mode: 'test' }, (ctx) => renameAccount(ctx, name))
    },
    options.as,
  )
  if (options.json) outJson(account)
  else out(`${account.id} is now named ${account.name}.`)
}

async function knownAccount({ pools }: Parts, accountId: string): Promise<Id<'acct'>> {
  const account = (await pools.read(selectAccounts({}))).find(({ id }) => id === accountId)
  if (account) return account.id
  throw new CommandFailure(
    `There is no account ${accountId} in this database. \`prokura accounts list\` shows all accounts.`,
  )
}

async function setZone(accountId: string, given: string, options: Options): Promise<void> {
  const timezone = normalizeTimezone(given)
  if (timezone === undefined)
    throw new CommandFailure(
      'Name a time zone of the IANA database, such as Europe/Berlin or America/New_York.',
    )
  const { account, policy_ids } = await administer(
    roleConfig(options.state),
    async ({ parts, inTenant }) => {
      const known = await knownAccount(parts, accountId)
      const follow = (ctx: ActingContext) => followTimezone(ctx, timezone)
      // One mode after the other: what is made in between has the new zone already, and the command may be run again.
      const [account, test] = await inTenant({ accountId: known, mode: 'test' }, async (ctx) => {
        return [await setAccountTimezone(ctx, timezone), await follow(ctx)] as const
      })
      return {
        account,
        policy_ids: [...test, ...(await inTenant({ accountId: known, mode: 'live' }, follow))],
      }
    },
    options.as,
  )
  if (options.json) return outJson({ ...account, policy_ids })
  out(`The time zone of ${account.id} is now ${timezone}.`)
  const [count, verb] =
    policy_ids.length === 1 ? ['1 policy', 'follows'] : [`${policy_ids.length} policies`, 'follow']
  out(`${count} without a time zone of their own ${verb} it when their current periods have ended.`)
}
