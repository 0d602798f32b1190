import { chatActor } from '../../../contract/actor.ts'
import type { Reads, Tenant } from '../../../contract/context.ts'
import type { Scope, ScopeCatalog } from '../../../contract/scopes.ts'
import type { Id } from '../../../core/id.ts'
import type { Principal } from '../../../platform/calls/principal.ts'
import { isFrozen } from '../../accounts/controls/public.ts'
import type { ChatRow } from '../chat.ts'
import { type ActingKeyRow, selectActingKey } from './acting.sql.ts'

/** Why nothing is done for a message any more. */
type Barred = 'key_ended' | 'frozen'

type ForWhom = {
  readonly tenant: Tenant
  readonly chat: Pick<ChatRow, 'id' | 'profile_id'>
  readonly keyId: Id<'key'>
  readonly scopes: ScopeCatalog
}

/**
 * The agent of a chat, as the principal for which it acts: that of the key that wrote the message. It may do what both that key and the
 * preset `buyer_agent` may do, for the profile of the chat.
 */
export async function actingIn(reads: Reads, whom: ForWhom): Promise<Principal | Barred> {
  const { tenant, chat, keyId } = whom
  const key = await reads.maybe(
    selectActingKey({ account_id: tenant.accountId, mode: tenant.mode, key_id: keyId }),
  )
  if (!key || (key.profile_id !== null && key.profile_id !== chat.profile_id)) return 'key_ended'
  // guard frozen-agents-say-nothing: a run of a frozen agent ends, also one that an event woke
  if (isFrozen(key, { profileId: chat.profile_id, agentId: key.agent_id })) return 'frozen'
  return {
    kind: 'chat',
    tenant,
    actor: chatActor(chat.id, key.agent_id),
    keyId,
    profileId: chat.profile_id,
    scopes: scopesOf(key, whom.scopes),
    async renew() {
      const again = await actingIn(reads, whom)
      return typeof again === 'string' ? null : again
    },
  }
}

function scopesOf({ scopes }: ActingKeyRow, { presets }: ScopeCatalog): ReadonlySet<Scope> {
  const own = new Set(scopes)
  // guard chat-is-a-buyer-agent: a chat of a key that may approve approves nothing
  return new Set(presets.buyer_agent.filter((scope) => own.has(scope)))
}
