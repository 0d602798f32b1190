import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import type { ShopAnswerRow } from './shop-answer.ts'

type OfProfile = { account_id: Id<'acct'>; mode: Mode; profile_id: string }

const columns = 'mode, profile_id, host, name, label, sealed, kept_at'
const ofProfile = 'account_id = $account_id and mode = $mode and profile_id = $profile_id'

export const selectShopAnswers = statement<ShopAnswerRow, OfProfile>(
  'select_shop_answers',
  `select ${columns} from shop_answers where ${ofProfile} order by host, name`,
)

/** Writes nothing beyond the most that a profile may keep. No row: it has as many. */
export const upsertShopAnswer = statement<
  { name: string },
  OfProfile & { host: string; name: string; domain: string; label: string; sealed: string; most: number }
>(
  'upsert_shop_answer',
  `insert into shop_answers (account_id, mode, profile_id, host, name, domain, label, sealed, kept_at)
   select $account_id, $mode, $profile_id, $host, $name, $domain, $label, $sealed, prokura_now()
   where (select count(*) from shop_answers where ${ofProfile}) < $most
     or exists (select from shop_answers where ${ofProfile} and host = $host and name = $name)
   on conflict (account_id, mode, profile_id, host, name)
     do update set label = excluded.label, sealed = excluded.sealed, domain = excluded.domain, kept_at = excluded.kept_at
   returning name`,
)

export const deleteShopAnswers = statement<
  { name: string },
  OfProfile & { host: string | null; name: string | null }
>(
  'delete_shop_answers',
  `delete from shop_answers where ${ofProfile} and ($host::text is null or host = $host) and ($name::text is null or name = $name)
   returning name`,
)

export const deleteAnswersOfProfiles = statement<
  never,
  { account_ids: readonly string[]; modes: readonly string[]; profile_ids: readonly string[] }
>(
  'delete_answers_of_profiles',
  `/* tenantless: the relay's batch holds events of several tenants; each profile is named with its own account_id and mode */
   delete from shop_answers a
   using unnest($account_ids::text[], $modes::mode[], $profile_ids::text[]) as named (account_id, mode, profile_id)
   where a.account_id = named.account_id and a.mode = named.mode and a.profile_id = named.profile_id`,
)
