import type { SignIn } from '../../../../contract/context.ts'
import { statement } from '../../../../contract/statement.ts'
import type { Id } from '../../../../core/id.ts'
import { correlate, sql } from '../../../../platform/database/fragment.ts'
import type { FoundSession, PersonLookups } from '../../../../platform/doors/person-door.ts'
import type { Passkey } from '../../../../platform/passkeys/passkeys.ts'
import type { Sweep } from '../../../../platform/retention/sweep.ts'
import { sweepOfInstallation } from '../../../../platform/retention/sweep-by-time.ts'
import { accountById } from '../../api-keys/reads.sql.ts'

type LinkRow = {
  hash: Buffer
  person_id: Id<'per'>
  account_id: Id<'acct'>
  kind: 'invitation' | 'printed_link' | 'email_link'
  made_by: string
  created_at: Date
  expires_at: Date
}

/** A new link for a person ends those that were made before it and that nobody has used. */
export const replaceLinks = statement<never, { person_id: Id<'per'>; now: Date }>(
  'replace_sign_in_links',
  `/* tenantless: people are of the installation */
   update sign_in_links set used_at = $now where person_id = $person_id and used_at is null and expires_at > $now`,
)

export const insertLink = statement<never, LinkRow>(
  'insert_sign_in_link',
  `/* tenantless: people are of the installation */
   insert into sign_in_links (hash, person_id, account_id, kind, made_by, created_at, expires_at)
   values ($hash, $person_id, $account_id, $kind, $made_by, $created_at, $expires_at)`,
)

const openLink = sql`/* tenantless: people are of the installation */
   select l.kind, l.person_id, l.account_id, l.expires_at, p.email, p.name, a.name as account_name
   from sign_in_links l join people p on p.id = l.person_id
   cross join lateral ${correlate(accountById, { account_id: 'l.account_id' })} a
   where l.hash = $hash and l.used_at is null and l.expires_at > prokura_now()`

type OpenLink = Pick<LinkRow, 'kind' | 'person_id' | 'account_id' | 'expires_at'> & {
  email: string
  name: string
  account_name: string
}

export const selectLink = statement<OpenLink, { hash: Buffer }>('select_sign_in_link', openLink.text)

/** Of two browsers that go on at once, one signs in. */
export const lockLink = statement<OpenLink, { hash: Buffer }>(
  'lock_sign_in_link',
  // guard link-signs-in-once: a link that was used, or whose time is over, signs nobody in
  `${openLink.text} for update of l`,
)

export const useLink = statement<never, { hash: Buffer; now: Date }>(
  'use_sign_in_link',
  `/* tenantless: people are of the installation */ update sign_in_links set used_at = $now where hash = $hash`,
)

type SessionRow = {
  hash: Buffer
  id: Id<'ses'>
  person_id: Id<'per'>
  signed_in_by: SignIn
  account_id: Id<'acct'> | null
  is_proven: boolean
  browser: string
  created_at: Date
  seen_at: Date
  ends_at: Date
}

export const insertSession = statement<never, SessionRow>(
  'insert_person_session',
  `/* tenantless: people are of the installation */
   insert into person_sessions (hash, id, person_id, signed_in_by, account_id, is_proven, browser, created_at, seen_at, ends_at)
   values ($hash, $id, $person_id, $signed_in_by, $account_id, $is_proven, $browser, $created_at, $seen_at, $ends_at)`,
)

// guard session-ends-idle: a browser that was left alone is signed out
const isLive = `s.revoked_at is null and s.ends_at > prokura_now() and s.seen_at > prokura_now() - interval '12 hours'`

export const selectSessions = statement<SessionRow, { person_id: string }>(
  'select_person_sessions',
  `/* tenantless: people are of the installation */
   select s.hash, s.id, s.person_id, s.signed_in_by, s.account_id, s.is_proven, s.browser, s.created_at, s.seen_at, s.ends_at
   from person_sessions s where s.person_id = $person_id and ${isLive} order by s.created_at desc, s.id desc`,
)

export const revokeSessions = statement<
  { id: Id<'ses'> },
  { person_id: string; id: string | null; besides: Buffer | null; now: Date }
>(
  'revoke_person_sessions',
  `/* tenantless: people are of the installation */
   update person_sessions set revoked_at = $now
   where person_id = $person_id and ($id::text is null or id = $id) and ($besides::bytea is null or hash <> $besides)
     and revoked_at is null
   returning id`,
)

/** The session has shown more than a link. */
export const proveSession = statement<never, { hash: Buffer }>(
  'prove_person_session',
  `/* tenantless: people are of the installation */ update person_sessions set is_proven = true where hash = $hash`,
)

/** The accounts in which a person may act; all of them, or the one that a condition names. */
function acting(which = ''): string {
  return sql`(select coalesce(
       json_agg(json_build_object('id', m.account_id, 'name', a.name, 'role', m.role) order by m.created_at, m.account_id), '[]')
     from memberships m cross join lateral ${correlate(accountById, { account_id: 'm.account_id' })} a
     where m.person_id = p.id and m.status = 'active'${which})`.text
}

/** A person, and where they may act. */
export const selectSelf = statement<
  { id: Id<'per'>; email: string; name: string; accounts: FoundSession['accounts'] },
  { person_id: string }
>(
  'select_own_person',
  `/* tenantless: people are of the installation */
   select p.id, p.email, p.name, ${acting()} as accounts from people p where p.id = $person_id`,
)

// guard link-opens-one-account: who makes a link for somebody gets into no account but their own
/** Who is signed in. Memberships that are suspended are not among them: a person without any is signed out. */
export const personLookups: PersonLookups = {
  session: statement<FoundSession, { hash: Buffer }>(
    'door_person_session',
    `/* tenantless: the door from a session's token to its person */
     select s.hash, s.person_id, s.signed_in_by, s.is_proven, s.seen_at < prokura_now() - interval '5 minutes' as is_ageing,
       ${acting(' and (s.account_id is null or m.account_id = s.account_id)')} as accounts
     from person_sessions s join people p on p.id = s.person_id where s.hash = $hash and ${isLive}`,
  ),
  seen: statement<never, { hash: Buffer }>(
    'touch_person_session',
    `/* tenantless: the door from a session's token to its person */
     update person_sessions set seen_at = prokura_now() where hash = $hash`,
  ),
}

/** The membership of somebody who is signed in and may act: it does not change before they have decided. */
export const lockActing = statement<
  { person_id: Id<'per'> },
  { account_id: Id<'acct'>; person_id: string; session: Buffer }
>(
  'lock_acting_person',
  `/* tenantless: an account's people are of both its modes */
   select m.person_id from memberships m join person_sessions s on s.person_id = m.person_id
   where m.account_id = $account_id and m.person_id = $person_id and m.status = 'active' and s.hash = $session and ${isLive}
   for share of m, s`,
)

type PersonPasskeyRow = Passkey & {
  person_id: Id<'per'>
  name: string
  created_at: Date
  used_at: Date | null
}

const passkey = 'id, person_id, name, public_key, counter, transports, created_at, used_at'

export const selectPasskeysOf = statement<PersonPasskeyRow, { person_id: string }>(
  'select_person_passkeys',
  `/* tenantless: people are of the installation */
   select ${passkey} from person_passkeys where person_id = $person_id order by created_at, id`,
)

export const selectPasskey = statement<PersonPasskeyRow, { id: string }>(
  'select_person_passkey',
  `/* tenantless: people are of the installation */ select ${passkey} from person_passkeys where id = $id`,
)

export const insertPersonPasskey = statement<never, Omit<PersonPasskeyRow, 'used_at'>>(
  'insert_person_passkey',
  `/* tenantless: people are of the installation */
   insert into person_passkeys (id, person_id, name, public_key, counter, transports, created_at)
   values ($id, $person_id, $name, $public_key, $counter, $transports, $created_at)`,
)

export const usePersonPasskey = statement<never, Pick<PersonPasskeyRow, 'id' | 'counter'> & { now: Date }>(
  'use_person_passkey',
  `/* tenantless: people are of the installation */
   update person_passkeys set counter = $counter, used_at = $now where id = $id`,
)

export const deletePersonPasskey = statement<{ id: string }, { person_id: string; id: string }>(
  'delete_person_passkey',
  `/* tenantless: people are of the installation */
   delete from person_passkeys where person_id = $person_id and id = $id returning id`,
)

type ChallengeRow = {
  id: Id<'chal'>
  purpose: 'sign_in' | 'passkey' | 'step_up'
  challenge: string
  session_hash: Buffer | null
  digest: Buffer | null
  created_at: Date
  expires_at: Date
}

export const insertChallenge = statement<never, ChallengeRow>(
  'insert_passkey_challenge',
  `/* tenantless: people are of the installation */
   insert into passkey_challenges (id, purpose, challenge, session_hash, digest, created_at, expires_at)
   values ($id, $purpose, $challenge, $session_hash, $digest, $created_at, $expires_at)`,
)

type OpenChallenge = Pick<ChallengeRow, 'purpose' | 'session_hash' | 'digest'> & { id: string }

// guard signed-in-time: what a passkey has signed is no good after five minutes
// guard signed-for-this: what was signed for other terms, or in another session, confirms nothing here
const isOpenChallenge = `id = $id and purpose = $purpose and used_at is null and expires_at > prokura_now()
     and session_hash is not distinct from $session_hash::bytea and digest is not distinct from $digest::bytea`

export const selectChallenge = statement<Pick<ChallengeRow, 'challenge'>, OpenChallenge>(
  'select_passkey_challenge',
  `/* tenantless: people are of the installation */ select challenge from passkey_challenges where ${isOpenChallenge}`,
)

/** Takes a challenge that is open. No row: it was taken, its time is over, or it is of another session, purpose or call. */
export const takeChallenge = statement<Pick<ChallengeRow, 'challenge'>, OpenChallenge & { now: Date }>(
  'take_passkey_challenge',
  `/* tenantless: people are of the installation */
   update passkey_challenges set used_at = $now where ${isOpenChallenge} returning challenge`,
)

export const sweepSignIns: readonly Sweep[] = [
  sweepOfInstallation({
    table: 'sign_in_links',
    since: 'expires_at',
    key: 'hash',
    removes: 'links by which people signed in',
  }),
  sweepOfInstallation({
    table: 'person_sessions',
    since: 'ends_at',
    key: 'hash',
    removes: 'sessions of people',
  }),
  sweepOfInstallation({
    table: 'passkey_challenges',
    since: 'expires_at',
    key: 'id',
    removes: 'what browsers were asked to sign',
  }),
]
