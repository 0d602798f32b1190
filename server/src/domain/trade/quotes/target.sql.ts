import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import type { ItemRow } from '../../selling/catalog/public.ts'
import type { MerchantRow } from '../../selling/merchant/public.ts'

/** A merchant, what is asked of it, and who answers for it. */
export type TargetRow = Pick<
  MerchantRow,
  | 'account_id'
  | 'mode'
  | 'name'
  | 'slug'
  | 'domain'
  | 'domain_verified_at'
  | 'verification_token'
  | 'mcc'
  | 'mcc_confirmed'
  | 'country'
  | 'country_confirmed'
  | 'currency'
> & {
  /** The designated responder, while it is enabled and its endpoint has confirmed. */
  responder_id: Id<'dest'> | null
} & (TargetItem | { [Column in keyof TargetItem]: null })

/** A published item, as far as it concerns a quote. */
export type TargetItem = Pick<ItemRow, 'title' | 'url' | 'item_type' | 'variants' | 'required_inputs'> & {
  item_id: ItemRow['id']
}

const columns = `m.account_id, m.mode, m.name, m.slug, m.domain, m.domain_verified_at, m.verification_token, m.mcc, m.mcc_confirmed, m.country,
  m.country_confirmed, m.currency, d.id as responder_id, i.id as item_id, i.title, i.url, i.item_type, i.variants, i.required_inputs`

const withResponder = `left join destinations d on d.account_id = m.account_id and d.mode = m.mode and d.responds_to_quotes
     and d.status = 'enabled' and d.confirmed_at is not null`

const ofItem = `from catalog_items i
   join merchants m on m.account_id = i.account_id and m.mode = i.mode
   ${withResponder}`

/** A published item of whichever merchant has it, by its id alone. */
export const selectTargetOfItem = statement<TargetRow, { mode: Mode; id: string }>(
  'select_quote_target_of_item',
  `/* tenantless: what is published is there for everybody */
   select ${columns} ${ofItem} where i.mode = $mode and i.id = $id and i.status = 'published'`,
)

/** The same by one of its variants: `variant` is `[{"id": "var_…"}]`. */
export const selectTargetOfVariant = statement<TargetRow, { mode: Mode; variant: string }>(
  'select_quote_target_of_variant',
  `/* tenantless: what is published is there for everybody */
   select ${columns} ${ofItem} where i.mode = $mode and i.variants @> $variant::jsonb and i.status = 'published'`,
)

/** A merchant alone. */
export const selectTargetOfSlug = statement<TargetRow, { mode: Mode; slug: string }>(
  'select_quote_target_of_slug',
  `/* tenantless: a slug is public and names one merchant of its mode */
   select ${columns} from merchants m left join catalog_items i on false ${withResponder}
   where m.mode = $mode and m.slug = $slug`,
)
