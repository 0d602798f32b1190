import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import type { DestinationSettings } from './destination-settings.ts'
import type { SetupFacts } from './merchant.sql.ts'
import { setupColumns } from './merchant.sql.ts'
import type { VerificationRow } from './verification.sql.ts'

/** A destination's settings as they are, for a statement that names it `d`. */
export const settingsNow = `jsonb_build_object('endpoint_url', d.endpoint_url, 'event_types', d.event_types,
    'responds_to_quotes', d.responds_to_quotes, 'is_archived', d.status = 'archived',
    'changes', jsonb_build_object('endpoint', d.endpoint_changes, 'event_types', d.event_types_changes, 'responder', d.responder_changes),
    'secret_prefix', (select s.prefix from destination_secrets s
      where s.account_id = d.account_id and s.mode = d.mode and s.destination_id = d.id
      order by s.position desc limit 1))`

/** The last check of a kind that ended in a way. */
export type LastCheck = {
  kind: 'quote' | 'order'
  status: 'passed' | 'failed'
  finished_at: string
  order_id: string | null
  settings: DestinationSettings
  settings_now: DestinationSettings
}

/** As the database builds it; its times are text. */
type VerificationJson = Omit<VerificationRow, 'checked_at' | 'failing_since' | 'lapsed_at'> & {
  checked_at: string | null
  failing_since: string | null
  lapsed_at: string | null
}

export type ReadinessFacts = SetupFacts & {
  verification: VerificationJson | null
  checks: LastCheck[]
  /** One that may answer orders, and the one that answers quotes. */
  order_destination_id: string | null
  responder_id: string | null
  /** The last order that the merchant received. */
  last_order_id: string | null
  /** Something that is for sale, to try the rest with. */
  item: { id: string; url: string | null; price: number | null; currency: string | null } | null
}

/** All that the merchant record shows beside itself, in one look. */
export const selectReadinessFacts = statement<ReadinessFacts, { account_id: Id<'acct'>; mode: Mode }>(
  'select_merchant_readiness',
  `select ${setupColumns},
     (select to_jsonb(v) from (
       select domain, token, status, detail, checked_at, failing_since, lapsed_at from domain_verifications
       where account_id = $account_id and mode = $mode) v) as verification,
     (select coalesce(jsonb_agg(jsonb_build_object('kind', c.kind, 'status', c.status, 'finished_at', c.finished_at,
         'order_id', c.order_id, 'settings', c.settings, 'settings_now', ${settingsNow}) order by c.id desc), '[]'::jsonb)
      from (values ('order'), ('quote')) as wanted (kind)
      cross join (values ('passed'), ('failed')) as ended (status)
      cross join lateral (
        select * from integration_checks
        where account_id = $account_id and mode = $mode and kind = wanted.kind and status = ended.status
        order by id desc limit 1
      ) c
      join destinations d on d.account_id = c.account_id and d.mode = c.mode and d.id = c.destination_id) as checks,
     (select d.id from destinations d
      where d.account_id = $account_id and d.mode = $mode and d.status = 'enabled'
        and d.event_types @> array['order.requested', 'order.confirmed', 'order.rejected']
      order by d.id desc limit 1) as order_destination_id,
     (select d.id from destinations d
      where d.account_id = $account_id and d.mode = $mode and d.status = 'enabled' and d.responds_to_quotes) as responder_id,
     (select o.id from orders o where o.merchant_account_id = $account_id and o.mode = $mode
      order by o.id desc limit 1) as last_order_id,
     (select jsonb_build_object('id', i.id, 'url', i.url, 'price', i.variants -> 0 -> 'price',
         'currency', i.variants -> 0 -> 'currency')
      from catalog_items i where i.account_id = $account_id and i.mode = $mode and i.status = 'published'
      order by i.id limit 1) as item
   from accounts a where a.id = $account_id`,
)
