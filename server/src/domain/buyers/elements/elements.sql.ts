import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { aggregate, type Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { correlate, sql } from '../../../platform/database/fragment.ts'
import type {
  ElementBootstrap,
  ElementLookups,
  ElementSession,
} from '../../../platform/doors/element-door.ts'
import type { Sweep } from '../../../platform/retention/sweep.ts'
import { sweepByTime } from '../../../platform/retention/sweep-by-time.ts'
import { clientSecretsOfKey, liveKey } from '../../accounts/api-keys/reads.sql.ts'
import { askedApproval, componentOfIntent, hasBought } from '../../buying/intents/reads.sql.ts'

type BootstrapRow = Tenanted & {
  hash: Buffer
  key_id: string
  component: string
  origin: string
  created_at: Date
  expires_at: Date
}

export const insertBootstrap = aggregate<BootstrapRow>()({
  table: 'element_bootstraps',
  columns: 'account_id, mode, hash, key_id, component, origin, created_at, expires_at',
  key: ['hash'],
}).insert('insert_element_bootstrap')

/** One that is young enough, of this key and for this component. */
export const selectBootstrap = statement<
  Pick<BootstrapRow, 'origin'> & { client_secrets: 'optional' | 'required' },
  Tenanted & Pick<BootstrapRow, 'hash' | 'key_id' | 'component'>
>(
  'select_element_bootstrap',
  // guard bootstrap-of-its-key: what one page has begun, the key of another does not go on with
  sql`select b.origin, k.client_secrets from element_bootstraps b cross join lateral ${clientSecretsOfKey} k
   where b.account_id = $account_id and b.mode = $mode and b.hash = $hash and b.key_id = $key_id and b.component = $component
     and b.expires_at > prokura_now()`,
)

export const selectIntent = statement<
  { profile_id: Id<'prof'>; component: string | null },
  Tenanted & { purchase_intent_id: string }
>('select_component_of_intent', componentOfIntent)

export const selectHasBought = statement<{ has_bought: boolean }, Tenanted & { purchases: number }>(
  'select_has_bought',
  hasBought,
)

type ClientSecretRow = Tenanted & {
  hash: Buffer
  profile_id: string
  purchase_intent_id: string | null
  components: string[]
  bootstrap_hash: Buffer | null
  created_at: Date
  expires_at: Date
}

export const insertClientSecret = aggregate<ClientSecretRow>()({
  table: 'element_client_secrets',
  columns:
    'account_id, mode, hash, profile_id, purchase_intent_id, components, bootstrap_hash, created_at, expires_at',
  key: ['hash'],
}).insert('insert_element_client_secret')

/** Takes it for the page with this bootstrap. No row: it is over, for something else, or of another page. */
export const claimClientSecret = statement<
  { hash: Buffer },
  Tenanted &
    Pick<ClientSecretRow, 'hash' | 'profile_id' | 'purchase_intent_id'> & {
      component: string
      bootstrap_hash: Buffer
    }
>(
  'claim_element_client_secret',
  // guard secret-of-one-page: what a page was given does nothing in another
  `update element_client_secrets set bootstrap_hash = $bootstrap_hash
   where account_id = $account_id and mode = $mode and hash = $hash and profile_id = $profile_id
     and purchase_intent_id is not distinct from $purchase_intent_id and $component = any(components)
     and expires_at > prokura_now() and (bootstrap_hash is null or bootstrap_hash = $bootstrap_hash)
   returning hash`,
)

type SessionRow = Tenanted &
  Pick<
    ElementSession,
    | 'hash'
    | 'component'
    | 'profile_id'
    | 'purchase_intent_id'
    | 'may'
    | 'is_vouched'
    | 'terms'
    | 'expires_at'
    | 'ends_at'
  > & {
    key_id: string
    origin: string
    /** For a session that approves: when the approval ends for which it was made. */
    answers_until: Date | null
    created_at: Date
  }

export const insertSession = aggregate<SessionRow>()({
  table: 'element_sessions',
  columns: `account_id, mode, hash, key_id, component, origin, profile_id, purchase_intent_id, may, is_vouched, terms,
    answers_until, created_at, expires_at, ends_at`,
  key: ['hash'],
}).insert('insert_element_session')

const openBootstrapDoor = statement<ElementBootstrap, { hash: Buffer }>(
  'door_element_bootstrap',
  `/* tenantless: the door from a frame's address to its tenant */
   select account_id, mode, component, origin from element_bootstraps where hash = $hash and expires_at > prokura_now()`,
)

const openSessionDoor = statement<ElementSession, { hash: Buffer }>(
  'door_element_session',
  sql`/* tenantless: the door from a session's token to its tenant */
   select s.hash, s.account_id, s.mode, s.key_id, s.component, s.origin, s.profile_id, s.purchase_intent_id, s.may, s.is_vouched,
     s.terms,
     s.expires_at, s.ends_at,
     s.expires_at < least(prokura_now() + interval '14 minutes', s.ends_at) as is_ageing
   from element_sessions s
   cross join lateral ${correlate(liveKey, {
     account_id: 's.account_id',
     mode: 's.mode',
     key_id: 's.key_id',
   })} k
   where s.hash = $hash and s.expires_at > prokura_now() and (s.answers_until is null or exists ${correlate(
     askedApproval,
     {
       account_id: 's.account_id',
       mode: 's.mode',
       purchase_intent_id: 's.purchase_intent_id',
       asked_until: 's.answers_until',
     },
   )})`,
)

/** It never lasts beyond its last moment, and one that is over stays over. */
const renewSession = statement<never, Tenanted & { hash: Buffer }>(
  'renew_element_session',
  `update element_sessions set expires_at = least(prokura_now() + interval '15 minutes', ends_at)
   where account_id = $account_id and mode = $mode and hash = $hash and expires_at > prokura_now()`,
)

export const elementLookups: Omit<ElementLookups, 'link' | 'window'> = {
  session: openSessionDoor,
  renew: renewSession,
  bootstrap: openBootstrapDoor,
}

export const elementSweeps: readonly Sweep[] = [
  sweepByTime({
    table: 'element_bootstraps',
    since: 'expires_at',
    key: 'hash',
    removes: 'beginnings of components in pages',
  }),
  sweepByTime({
    table: 'element_client_secrets',
    since: 'expires_at',
    key: 'hash',
    removes: 'client secrets of components',
  }),
  sweepByTime({
    table: 'element_sessions',
    since: 'ends_at',
    key: 'hash',
    removes: 'sessions of components in pages',
  }),
]
