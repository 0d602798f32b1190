import { statement } from '../../../contract/statement.ts'
import { aggregate, type Tenanted } from '../../../platform/aggregate/aggregate.ts'
import type {
  ElementBootstrap,
  ElementLookups,
  ElementSession,
} from '../../../platform/doors/element-door.ts'
import { byAge, type Sweep, type Swept } from '../../../platform/retention/sweep.ts'

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
  Pick<BootstrapRow, 'origin'>,
  Tenanted & Pick<BootstrapRow, 'hash' | 'key_id' | 'component'>
>(
  'select_element_bootstrap',
  // guard bootstrap-of-its-key: what one page has begun, the key of another does not go on with
  `select origin from element_bootstraps
   where account_id = $account_id and mode = $mode and hash = $hash and key_id = $key_id and component = $component
     and expires_at > prokura_now()`,
)

type SessionRow = Tenanted &
  Pick<
    ElementSession,
    'component' | 'profile_id' | 'purchase_intent_id' | 'may' | 'expires_at' | 'ends_at'
  > & {
    hash: Buffer
    key_id: string
    origin: string
    created_at: Date
  }

export const insertSession = aggregate<SessionRow>()({
  table: 'element_sessions',
  columns: `account_id, mode, hash, key_id, component, origin, profile_id, purchase_intent_id, may, created_at, expires_at, ends_at`,
  key: ['hash'],
}).insert('insert_element_session')

const openBootstrapDoor = statement<ElementBootstrap, { hash: Buffer }>(
  'door_element_bootstrap',
  `/* tenantless: the door from a frame's address to its tenant */
   select account_id, mode, component, origin from element_bootstraps where hash = $hash and expires_at > prokura_now()`,
)

const openSessionDoor = statement<ElementSession, { hash: Buffer }>(
  'door_element_session',
  // guard session-ends-with-its-key: a revoked key ends the sessions of its pages
  `/* tenantless: the door from a session's token to its tenant */
   select account_id, mode, key_id, component, profile_id, purchase_intent_id, may, expires_at, ends_at,
     expires_at < least(prokura_now() + interval '14 minutes', ends_at) as is_ageing
   from card_sessions where hash = $hash`,
)

/** It never lasts beyond its last moment, and one that is over stays over. */
const renewSession = statement<never, Tenanted & { hash: Buffer }>(
  'renew_element_session',
  `update element_sessions set expires_at = least(prokura_now() + interval '15 minutes', ends_at)
   where account_id = $account_id and mode = $mode and hash = $hash and expires_at > prokura_now()`,
)

export const elementLookups: ElementLookups = {
  session: openSessionDoor,
  renew: renewSession,
  bootstrap: openBootstrapDoor,
}

const deleteOldBootstraps = statement<Swept, { before: Date; limit: number }>(
  'sweep_element_bootstraps',
  `/* tenantless: a sweep is of every account */
   with old as (
     select account_id, mode, hash from element_bootstraps where expires_at < $before order by expires_at limit $limit
       for update skip locked
   ), gone as (
     delete from element_bootstraps b using old o where b.account_id = o.account_id and b.mode = o.mode and b.hash = o.hash
       returning b.expires_at
   )
   select count(*)::int as rows, min(expires_at) as oldest from gone`,
)

const deleteOldSessions = statement<Swept, { before: Date; limit: number }>(
  'sweep_element_sessions',
  `/* tenantless: a sweep is of every account */
   with old as (
     select account_id, mode, hash from element_sessions where ends_at < $before order by ends_at limit $limit
       for update skip locked
   ), gone as (
     delete from element_sessions s using old o where s.account_id = o.account_id and s.mode = o.mode and s.hash = o.hash
       returning s.ends_at
   )
   select count(*)::int as rows, min(ends_at) as oldest from gone`,
)

export const elementSweeps: readonly Sweep[] = [
  {
    name: 'element_bootstraps',
    removes: 'beginnings of components in pages',
    keeps: 'finishedWorkDays',
    batches: (pools, before) => byAge(pools, (limit) => deleteOldBootstraps({ before, limit })),
  },
  {
    name: 'element_sessions',
    removes: 'sessions of components in pages',
    keeps: 'finishedWorkDays',
    batches: (pools, before) => byAge(pools, (limit) => deleteOldSessions({ before, limit })),
  },
]
