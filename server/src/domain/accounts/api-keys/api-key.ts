import type { Tenant } from '../../../contract/context.ts'
import type { Scope, ScopePreset } from '../../../contract/scopes.ts'
import type { Id } from '../../../core/id.ts'

export type KeyKind = 'secret' | 'publishable'

/** What a publishable key is for: to read what is published, to show components in a page. */
export const keyCapabilities = ['catalog:read', 'elements'] as const
export type KeyCapability = (typeof keyCapabilities)[number]

/** `required`: a component lists and proves cards only under a secret that the integrator's server has asked for. */
export const clientSecretRules = ['optional', 'required'] as const
export type ClientSecretRule = (typeof clientSecretRules)[number]

/** A key as it may be shown: never its token. */
export type ApiKey = {
  id: Id<'key'>
  object: 'api_key'
  /** The agent that the key belongs to: policies and freezes name it, and it is the actor. */
  agent_id: Id<'agent'>
  /** The one customer that the agent acts for; null where it acts for all of them. */
  profile_id: Id<'prof'> | null
  mode: Tenant['mode']
  kind: KeyKind
  name: string
  prefix: string
  preset: ScopePreset
  scopes: readonly Scope[]
  origins: readonly string[]
  /** Empty for a secret key, which has scopes. */
  capabilities: readonly KeyCapability[]
  client_secrets: ClientSecretRule
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  created_at: string
  updated_at: string
}

export type ApiKeyRow = {
  id: Id<'key'>
  agent_id: Id<'agent'>
  /** The profile of its agent. */
  profile_id: Id<'prof'> | null
  kind: KeyKind
  name: string
  prefix: string
  preset: ScopePreset
  scopes: Scope[]
  origins: string[]
  capabilities: KeyCapability[]
  client_secrets: ClientSecretRule
  expires_at: Date | null
  revoked_at: Date | null
  last_used_at: Date | null
  seq: number
  created_at: Date
  updated_at: Date
}

export function renderApiKey(row: ApiKeyRow, mode: Tenant['mode']): ApiKey {
  return {
    id: row.id,
    object: 'api_key',
    agent_id: row.agent_id,
    profile_id: row.profile_id,
    mode,
    kind: row.kind,
    name: row.name,
    prefix: row.prefix,
    preset: row.preset,
    scopes: row.scopes,
    origins: row.origins,
    capabilities: row.capabilities,
    client_secrets: row.client_secrets,
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
