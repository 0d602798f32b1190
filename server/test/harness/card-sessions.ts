import { createHash, randomBytes } from 'node:crypto'
import type { Mode } from '../../src/contract/context.ts'
import { testCardNumbers } from '../../src/contract/test-card-numbers.ts'
import { newToken } from '../../src/platform/secrets/keyed-hash.ts'
import { someTenant, type VaultWorld } from './vault.ts'

/** A session in which a person may enter cards, and what it says of them. */
export type CardSession = { token: string; accountId: string; mode: Mode; keyId: string; profileId: string }

let made = 0

/** Opens a session by rows of its own: another part of the product opens those of people. */
export async function openCardSession(
  world: Pick<VaultWorld, 'sql'>,
  given: Partial<Omit<CardSession, 'token'>> & { may?: readonly string[]; isVouched?: boolean } = {},
): Promise<CardSession> {
  made += 1
  const { accountId, mode, keyId, profileId, may, isVouched } = {
    ...someTenant,
    keyId: `key_${made}`,
    profileId: `prof_${made}`,
    may: ['write'],
    isVouched: false,
    ...given,
  }
  const token = newToken(`pr_es_${mode}_`, randomBytes)
  await world.sql(
    `with account as (insert into accounts values ($1, 'Integrator', '{}', now()) on conflict do nothing),
       agent as (insert into agents (account_id, mode, id, name, seq, created_at, updated_at)
         values ($1, $2, $3, '', 1, now(), now()) on conflict do nothing)
     insert into api_keys (account_id, mode, id, agent_id, kind, name, prefix, hash, preset, scopes, origins, seq, created_at, updated_at)
     values ($1, $2, $3, $3, 'publishable', '', 'pr', decode(md5($1 || $2 || $3), 'hex'), 'full', '{}', '{}', 1, now(), now())
     on conflict do nothing`,
    [accountId, mode, keyId],
  )
  await world.sql(
    `insert into element_sessions (account_id, mode, hash, key_id, component, origin, profile_id, may, is_vouched, created_at,
       expires_at, ends_at)
     values ($1, $2, $3, $4, 'AddPaymentMethod', 'https://shop.example', $5, $6, $7, prokura_now(),
       prokura_now() + interval '15 minutes', prokura_now() + interval '1 hour')`,
    [accountId, mode, createHash('sha256').update(token).digest(), keyId, profileId, may, isVouched],
  )
  return { token, accountId, mode, keyId, profileId }
}

type LeftCard = { status: number; body: { vault_token_id: string; temporary_cvc_token_id: string } }

/** Leaves a card at the door for browsers, as a frame does. */
export async function leaveCard(
  { publicUrl }: Pick<VaultWorld, 'publicUrl'>,
  { token }: CardSession,
  number: string = testCardNumbers.visa_auto_approved,
): Promise<LeftCard> {
  const answer = await fetch(`${publicUrl}/cards`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ number, exp_month: 1, exp_year: 2030, cardholder_name: null, cvc: '111' }),
  })
  return { status: answer.status, body: JSON.parse(await answer.text()) }
}
