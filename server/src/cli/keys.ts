import { type Command, Option } from 'commander'
import type { Mode } from '../contract/context.ts'
import { type ScopePreset, scopePresets } from '../contract/scopes.ts'
import type { Id } from '../core/id.ts'
import {
  type ApiKey,
  issueKey,
  type KeyKind,
  renderApiKey,
  revokeKey,
  rollKey,
  selectAccounts,
  selectApiKeys,
} from '../features/api-keys/public.ts'
import { processEnvironment } from '../platform/config/config.ts'
import { type Administration, administer } from './administer.ts'
import { CommandFailure } from './failure.ts'
import { roleConfig } from './role-config.ts'
import { openStateFolder, stateFiles } from './state-folder.ts'
import { out, outJson, styled, table } from './terminal.ts'

type Common = { state?: string; account?: string; json?: boolean; mode: Mode }

export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description('API keys of an account.')
  common(keys.command('create').description('Make a key. Its token is shown this once.'))
    .addOption(
      new Option('--preset <preset>', 'what it may do').choices(Object.keys(scopePresets)).default('full'),
    )
    .addOption(
      new Option('--kind <kind>', 'secret or publishable')
        .choices(['secret', 'publishable'])
        .default('secret'),
    )
    .option('--name <name>', 'what to call it', 'key')
    .option('--origin <origin...>', 'where components may be embedded with a publishable key')
    .option('--expires <time>', 'when it ends, as an ISO 8601 time')
    .action(create)
  common(keys.command('list').description('List the keys, newest first.')).action(list)
  common(keys.command('revoke').description('End a key at once.').argument('<key_id>')).action(revoke)
  common(
    keys.command('roll').description('Replace a key by a new one and end the old one.').argument('<key_id>'),
  ).action(roll)
}

function common(command: Command): Command {
  return command
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--account <id>', 'the account (default: the one `up` made, or the only one)')
    .addOption(new Option('--mode <mode>', 'test or live').choices(['test', 'live']).default('test'))
    .option('--json', 'print one line of JSON')
}

type CreateOptions = Common & {
  preset: ScopePreset
  kind: KeyKind
  name: string
  origin?: string[]
  expires?: string
}

async function create(options: CreateOptions): Promise<void> {
  const expiresAt = options.expires === undefined ? null : new Date(options.expires)
  if (expiresAt && Number.isNaN(expiresAt.getTime())) {
    throw new CommandFailure('--expires takes a time such as 2030-01-31T00:00:00Z.')
  }
  const { kind, name, preset, origin = [] } = options
  const made = await inAccount(options, (admin, tenant) =>
    admin.inTenant(tenant, async (ctx) => issueKey(ctx, { kind, name, preset, origins: origin, expiresAt })),
  )
  showToken(made, options)
}

async function list(options: Common): Promise<void> {
  const rows = await inAccount(options, (admin, { accountId, mode }) =>
    admin.parts.pools.read(selectApiKeys({ account_id: accountId, mode })),
  )
  const keys = rows.map((row) => renderApiKey(row, options.mode))
  if (options.json) return outJson({ object: 'list', data: keys })
  if (keys.length === 0) return out(`There is no ${options.mode} key.`)
  const cells = keys.map((key) => [
    key.id,
    key.name,
    key.prefix,
    key.preset,
    key.last_used_at ?? 'never used',
    key.revoked_at ? 'revoked' : 'live',
  ])
  for (const line of table(['ID', 'NAME', 'TOKEN', 'PRESET', 'LAST USE', 'STATE'], cells)) out(line)
}

async function revoke(keyId: string, options: Common): Promise<void> {
  const key = await inAccount(options, (admin, tenant) =>
    admin.inTenant(tenant, (ctx) => revokeKey(ctx, keyId)),
  )
  if (options.json) outJson(key)
  else out(`${key.id} is revoked.`)
}

async function roll(keyId: string, options: Common): Promise<void> {
  showToken(
    await inAccount(options, (admin, tenant) => admin.inTenant(tenant, (ctx) => rollKey(ctx, keyId))),
    options,
  )
}

function showToken({ key, token }: { key: ApiKey; token: string }, options: Common): void {
  if (options.json) {
    outJson({ ...key, token })
    return
  }
  out(`${styled('bold', key.id)}  ${key.name} (${key.preset}, ${key.mode})`)
  out(`  ${token}`)
  out(styled('dim', 'Keep it now: only its hash is stored.'))
}

async function inAccount<T>(
  options: Common,
  work: (admin: Administration, tenant: { accountId: Id<'acct'>; mode: Mode }) => Promise<T>,
): Promise<T> {
  return administer(roleConfig(options.state), async (admin) => {
    const accounts = await admin.parts.pools.read(selectAccounts({}))
    const wanted = options.account ?? rememberedAccount(options) ?? onlyOne(accounts)
    const account = accounts.find(({ id }) => id === wanted)
    if (!account) throw new CommandFailure(`There is no account ${wanted} in this database.`)
    return work(admin, { accountId: account.id, mode: options.mode })
  })
}

/** The account that `up` made, when this command works beside it. */
function rememberedAccount({ state }: Common): string | null {
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
      ? 'There is no account yet. Open one with `prokura accounts create`.'
      : `There are ${accounts.length} accounts. Name one with --account.`,
  )
}
