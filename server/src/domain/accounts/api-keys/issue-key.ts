import type { ActingContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import { boundPresets, type Scope, type ScopeCatalog, type ScopePreset } from '../../../contract/scopes.ts'
import type { Id } from '../../../core/id.ts'
import { newToken, tokenPrefix } from '../../../platform/secrets/keyed-hash.ts'
import type { AgentRow } from './agent.ts'
import {
  type ApiKey,
  type ApiKeyRow,
  type ClientSecretRule,
  type KeyCapability,
  type KeyKind,
  renderApiKey,
} from './api-key.ts'
import { insertAgent, insertApiKey } from './api-keys.sql.ts'

export type KeyRequest = {
  kind: KeyKind
  name: string
  preset: ScopePreset
  /** The origins of the pages that a publishable key is for, as browsers send them: see `pageOriginOf`. */
  origins?: string[]
  /** Of a publishable key; by default it reads what is published. */
  capabilities?: KeyCapability[]
  clientSecrets?: ClientSecretRule
  expiresAt?: Date | null
}

export type IssuedKey = { key: ApiKey; token: string }

/**
 * Makes a key of the context's tenant, and the agent that it belongs to. The token is returned only here; only its keyed hash is stored.
 */
export function issueKey(
  ctx: ActingContext,
  request: KeyRequest & { profileId?: Id<'prof'> | null },
): IssuedKey {
  const { accountId: account_id, mode } = ctx.tenant
  const profileId = request.profileId ?? null
  const scopes = scopesOf(request, profileId, ctx.scopeCatalog)
  const agent: AgentRow = {
    id: ctx.newId('agent'),
    name: request.name,
    profile_id: profileId,
    joined_into: null,
    seq: 0,
    created_at: ctx.now,
    updated_at: ctx.now,
  }
  ctx.tx.write(insertAgent({ account_id, mode, ...agent }))
  return insertKey(ctx, { ...request, agent, scopes })
}

/** The scopes of a key with the preset, for an agent that is bound to a profile or to none. */
export function scopesOf(
  { preset, kind }: KeyRequest,
  profileId: Id<'prof'> | null,
  { presets, bound }: ScopeCatalog,
): Scope[] {
  // Scopes do not decide what a publishable key opens: that is the same for all of them.
  if (profileId === null) return kind === 'publishable' ? [] : [...presets[preset]]
  const isBindable = kind === 'secret' && boundPresets.some((one) => one === preset)
  if (!isBindable) {
    throw new Problem('agent_bound', {
      message: `An agent that is bound to a profile has secret keys of the presets ${boundPresets.join(' and ')} only.`,
    })
  }
  return presets[preset].filter((scope) => bound.has(scope))
}

/** A key of an agent that exists, or is made in the same transaction. */
export function insertKey(
  ctx: ActingContext,
  made: KeyRequest & { agent: Pick<AgentRow, 'id' | 'profile_id'>; scopes: Scope[] },
): IssuedKey {
  const { accountId, mode } = ctx.tenant
  const token = newToken(`pr_${made.kind === 'secret' ? 'sk' : 'pk'}_${mode}_`, ctx.random)
  const row: ApiKeyRow = {
    id: ctx.newId('key'),
    agent_id: made.agent.id,
    profile_id: made.agent.profile_id,
    kind: made.kind,
    name: made.name,
    prefix: tokenPrefix(token),
    preset: made.preset,
    scopes: made.scopes,
    origins: made.origins ?? [],
    capabilities: made.kind === 'secret' ? [] : (made.capabilities ?? ['catalog:read']),
    client_secrets: made.clientSecrets ?? 'optional',
    expires_at: made.expiresAt ?? null,
    revoked_at: null,
    last_used_at: null,
    seq: 1,
    created_at: ctx.now,
    updated_at: ctx.now,
  }
  const key = renderApiKey(row, mode)
  ctx.tx.write(insertApiKey({ ...row, account_id: accountId, mode, hash: ctx.sealer.hashToken(token) }))
  ctx.tx.emit({ type: 'api_key.created', aggregateId: row.id, sequence: 1, object: key })
  return { key, token }
}
