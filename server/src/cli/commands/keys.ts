import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ActingContext, Mode } from '../../contract/context.ts'
import { meaningOf, Problem } from '../../contract/problem.ts'
import { type ScopePreset, scopePresets } from '../../contract/scopes.ts'
import { selectApiKeys } from '../../domain/accounts/api-keys/api-keys.sql.ts'
import {
  type ApiKey,
  addKey,
  type ClientSecretRule,
  clientSecretRules,
  type IssuedKey,
  issueBoundKey,
  issueKey,
  type KeyCapability,
  type KeyKind,
  keyCapabilities,
  overlapHoursMax,
  pageOriginOf,
  renderApiKey,
  revokeKey,
  rollKey,
  updatePageKey,
} from '../../domain/accounts/api-keys/public.ts'
import { joinAgents, type Widening } from '../../domain/policies/public.ts'
import { CommandFailure } from '../failure.ts'
import { inAccount, tenantOf } from '../operator/chosen-account.ts'
import { asSomebody } from '../operator/operator.ts'
import { readDatabase } from '../operator/read-database.ts'
import { roleConfig } from '../role-config.ts'
import { out, outJson, styled, table } from '../terminal.ts'

type Common = { state?: string; account?: string; json?: boolean; mode: Mode; as?: string }

export function defineKeys(keys: Command): void {
  common(asSomebody(keys.command('create')).description('Create a key. Its token is shown only once.'))
    .addOption(new Option('--preset <preset>', 'what the key may do').choices(scopePresets).default('full'))
    .addOption(
      new Option('--kind <kind>', 'secret or publishable')
        .choices(['secret', 'publishable'])
        .default('secret'),
    )
    .option('--name <name>', 'the name of the key', 'key')
    .option(
      '--origin <origin...>',
      'the origins of the pages that may use a publishable key: https, or http on localhost',
      addOrigin,
    )
    .addOption(capabilityOption())
    .addOption(clientSecretsOption())
    .option('--expires <time>', 'when the key expires, as an ISO 8601 time')
    .option('--agent <agent_id>', 'the agent that the key belongs to (default: a new one)')
    .option('--force', 'create the key even if it may do more than the other keys of its agent')
    .addOption(
      new Option(
        '--profile <profile_id>',
        'bind the new agent to this profile; this can never be changed',
      ).conflicts('agent'),
    )
    .action(create)
  common(
    asSomebody(keys.command('update'))
      .description('Change where and for what a publishable key works. What is left out stays.')
      .argument('<key_id>'),
  )
    .option('--origin <origin...>', 'the origins of its pages, all of them', addOrigin)
    .addOption(capabilityOption())
    .addOption(clientSecretsOption())
    .action(update)
  common(keys.command('list').description('List the keys, newest first.')).action(list)
  common(
    asSomebody(keys.command('revoke'))
      .description('Revoke a key. It stops working at once, and its agent stays.')
      .argument('<key_id>'),
  ).action(revoke)
  common(
    asSomebody(keys.command('roll'))
      .description('Replace a key by a new one with the same rights, and end the old one.')
      .argument('<key_id>'),
  )
    .option(
      '--overlap <time>',
      `how long the old key keeps working, such as 24h or 30m (default: it stops at once)`,
      overlap,
    )
    .action(roll)
  common(
    asSomebody(keys.command('join'))
      .description(
        'Merge two agents into one. Policies and freezes that name either of them then apply to the keys of both.',
      )
      .argument('<from>', 'the agent to merge, or one of its keys')
      .argument('<into>', 'the agent that stays, or one of its keys'),
  )
    .option('--yes', 'merge them even if one of the two may then do more than before')
    .action(join)
}

function capabilityOption(): Option {
  return new Option(
    '--capability <capability...>',
    'what a publishable key is for: reading what is published, or showing components',
  ).choices(keyCapabilities)
}

function clientSecretsOption(): Option {
  return new Option(
    '--client-secrets <rule>',
    'whether components list and prove cards only under a secret that your server asked for',
  ).choices(clientSecretRules)
}

function common(command: Command): Command {
  return command
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--account <id>', 'the account (default: the one that `prokura up` created, or the only one)')
    .addOption(new Option('--mode <mode>', 'test or live').choices(['test', 'live']).default('test'))
    .option('--json', 'print one line of JSON')
}

/** The milliseconds of `24h` or `30m`. */
function overlap(text: string): number {
  const [, count, unit] = /^(\d{1,4})([hm])$/.exec(text) ?? []
  const minutes = Number(count ?? Number.NaN) * (unit === 'h' ? 60 : 1)
  if (minutes <= overlapHoursMax * 60) return minutes * 60_000
  throw new InvalidArgumentError(
    `It must be a number of hours or minutes, such as 24h or 30m, and at most ${overlapHoursMax}h.`,
  )
}

function addOrigin(text: string, origins: readonly string[] = []): string[] {
  const origin = pageOriginOf(text)
  if (origin !== null) return [...new Set([...origins, origin])]
  throw new InvalidArgumentError(
    'It must be the origin of a page, such as https://shop.example or http://localhost:3000, without a path.',
  )
}

type PageOptions = {
  origin?: string[]
  capability?: KeyCapability[]
  clientSecrets?: ClientSecretRule
}

type CreateOptions = Common &
  PageOptions & {
    preset: ScopePreset
    kind: KeyKind
    name: string
    expires?: string
    agent?: string
    force?: boolean
    profile?: string
  }

async function create(options: CreateOptions): Promise<void> {
  const expiresAt = options.expires === undefined ? null : new Date(options.expires)
  if (expiresAt && Number.isNaN(expiresAt.getTime())) {
    throw new CommandFailure('--expires must be a time such as 2030-01-31T00:00:00Z.')
  }
  const { kind, name, preset, origin = [], agent, profile, force = false } = options
  if (kind === 'publishable' && origin.length === 0)
    throw new CommandFailure('A publishable key works in the pages of its origins: name them with --origin.')
  if (kind === 'secret' && origin.length > 0)
    throw new CommandFailure('--origin is for a publishable key: a secret key must never be in a page.')
  const { capability: capabilities, clientSecrets } = options
  if (kind === 'secret' && (capabilities ?? clientSecrets) !== undefined)
    throw new CommandFailure(
      '--capability and --client-secrets are for a publishable key. A secret key has a --preset.',
    )
  const request = {
    kind,
    name,
    preset,
    origins: origin,
    expiresAt,
    ...(capabilities ? { capabilities } : {}),
    ...(clientSecrets ? { clientSecrets } : {}),
  }
  const made = await inTenant(options, async (ctx): Promise<IssuedKey> => {
    if (agent !== undefined) return addKey(ctx, { ...request, agentId: agent, isForced: force })
    if (profile !== undefined) return issueBoundKey(ctx, { ...request, profileId: profile })
    return issueKey(ctx, request)
  })
  showToken(made, options)
}

async function update(keyId: string, options: Common & PageOptions): Promise<void> {
  const { origin: origins, capability: capabilities, clientSecrets } = options
  const changes = {
    ...(origins ? { origins } : {}),
    ...(capabilities ? { capabilities } : {}),
    ...(clientSecrets ? { client_secrets: clientSecrets } : {}),
  }
  if (Object.keys(changes).length === 0)
    throw new CommandFailure('Name what is to change: --origin, --capability or --client-secrets.')
  const key = await inTenant(options, (ctx) => updatePageKey(ctx, keyId, changes))
  if (options.json) return outJson(key)
  out(
    `${styled('bold', key.id)} works in pages of ${key.origins.join(', ')}, for ${key.capabilities.join(' and ')}.`,
  )
  out(`  client secrets: ${key.client_secrets}`)
}

async function list(options: Common): Promise<void> {
  const [rows, now] = await readDatabase(roleConfig(options.state), async ({ pools, clock }) => {
    const { accountId, mode } = await tenantOf(pools, options)
    return Promise.all([pools.read(selectApiKeys({ account_id: accountId, mode })), clock.now()])
  })
  if (options.json) {
    const data = rows.map((row) => ({
      ...renderApiKey(row, options.mode),
      agent_name: row.agent_name,
      state: stateOf(row, now).state,
    }))
    return outJson({ object: 'list', data })
  }
  if (rows.length === 0) return out(`The account has no ${options.mode} key.`)
  const cells = rows.map((row) => [
    row.id,
    row.name,
    options.mode,
    row.prefix,
    row.preset,
    row.agent_id,
    row.profile_id ?? 'all',
    row.last_used_at?.toISOString() ?? 'never used',
    stateOf(row, now).words,
  ])
  const headings = ['ID', 'NAME', 'MODE', 'TOKEN', 'PRESET', 'AGENT', 'PROFILES', 'LAST USE', 'STATE']
  for (const line of table(headings, cells)) out(line)
}

type KeyState = 'active' | 'expired' | 'revoked' | 'rolled'

/** `rolled`: the key has a successor, and opens the same until its time is over. */
function stateOf(
  row: { revoked_at: Date | null; expires_at: Date | null; is_rolled: boolean },
  now: Date,
): { state: KeyState; words: string } {
  const { revoked_at: revokedAt, expires_at: expiresAt } = row
  if (revokedAt) return { state: 'revoked', words: `revoked ${revokedAt.toISOString()}` }
  if (!expiresAt) return { state: 'active', words: 'active' }
  if (expiresAt <= now) return { state: 'expired', words: `expired ${expiresAt.toISOString()}` }
  const state = row.is_rolled ? 'rolled' : 'active'
  return { state, words: `${state} until ${expiresAt.toISOString()}` }
}

async function revoke(keyId: string, options: Common): Promise<void> {
  const key = await inTenant(options, (ctx) => revokeKey(ctx, keyId))
  if (options.json) outJson(key)
  else out(`${key.id} is revoked.`)
}

async function roll(keyId: string, options: Common & { overlap?: number }): Promise<void> {
  const { overlap: overlapMs = 0 } = options
  showToken(await inTenant(options, (ctx) => rollKey(ctx, keyId, { overlapMs })), options)
}

async function join(from: string, into: string, options: Common & { yes?: boolean }): Promise<void> {
  const joined = await inTenant(options, (ctx) =>
    joinAgents(ctx, { from, into, mayWiden: options.yes ?? false }),
  )
  if (options.json) return outJson(joined)
  const { agent_id, joined: gone, key_ids, policy_ids, frozen, widened } = joined
  out(
    `${gone} is merged into ${styled('bold', agent_id)}. Keys that moved with it: ${key_ids.join(', ') || 'none'}.`,
  )
  out(
    policy_ids.length === 0
      ? 'No policy names the agent.'
      : `Policies that name the agent: ${policy_ids.join(', ')}.`,
  )
  if (frozen) out('The agent is frozen, because one of the two was frozen.')
  for (const one of widened) out(`Newly allowed: ${said(one)}.`)
}

function said(widening: Widening): string {
  const { agent_id: agent } = widening
  if (widening.kind === 'scopes')
    return `a new key of ${agent} may have the scopes ${widening.scopes.join(', ')}`
  return `${agent} buys under the policy ${widening.name} (${widening.policy_id})`
}

function showToken({ key, token }: { key: ApiKey; token: string }, options: Common): void {
  if (options.json) {
    outJson({ ...key, token })
    return
  }
  out(`${styled('bold', key.id)}  ${key.name} (${key.preset}, ${key.mode})`)
  out(`  ${token}`)
  out(
    `  belongs to ${key.agent_id}${key.profile_id === null ? '' : `, which acts only for ${key.profile_id}`}`,
  )
  out(styled('dim', 'Copy it now. Only its hash is stored, so it cannot be shown again.'))
}

/** One transaction in the tenant that the options name; a refusal says what to do about it. */
async function inTenant<T>(options: Common, work: (ctx: ActingContext) => Promise<T>): Promise<T> {
  return inAccount(options, (admin, tenant) => admin.inTenant(tenant, work)).catch(async (error: unknown) => {
    throw error instanceof Problem ? new CommandFailure(await explain(error, options.mode)) : error
  })
}

async function explain(problem: Problem, mode: Mode): Promise<string> {
  const { code, options } = problem
  const { product } = await import('../../composition.ts')
  const { message } = meaningOf(problem, product.problems)
  switch (code) {
    case 'not_found':
      return `This account has no such ${String(options.param).replace('_id', '')} in ${mode} mode. Check the id, --account and --mode.`
    case 'scopes_exceed_agent':
      return `${message} Add --force to create the key anyway.`
    case 'join_widens': {
      const widened = options.extra?.widened as Widening[] // as joinAgents puts it there
      return `After the merge they could do more than before: ${widened.map(said).join('; ')}. Add --yes to merge them anyway.`
    }
    default:
      return message
  }
}
