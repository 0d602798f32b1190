import type { Mode } from '../../contract/context.ts'
import { statement } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'
import { aggregate, type Tenanted } from '../../platform/aggregate/aggregate.ts'
import { claimStatement, leaseStatements } from '../../platform/work/lease.sql.ts'
import type { Claimed } from '../../platform/work/lease.ts'
import type { ChatRow } from './chat.ts'

const chats = aggregate<ChatRow>()({
  table: 'chats',
  columns: `id, profile_id, status, title, context, model, memory, last_message_at, last_message_preview, message_count, steps, tokens,
    cost, position, seq, due_at, created_at, updated_at, archived_at`,
  key: ['id'],
  json: ['memory'],
  fixed: ['profile_id', 'context'],
})

export const insertChat = chats.insert('insert_chat')
export const selectChat = chats.select('select_chat')
/** Whoever says something in a chat, and who answers, does it one after the other. */
export const lockChat = chats.lock('lock_chat', 'for no key update')
export const updateChat = chats.update('update_chat')

export type ClaimedChat = Claimed & { id: Id<'chat'> }

export const claimDueChats = claimStatement<ClaimedChat>('chats')
export const chatLeases = leaseStatements('chats', { endLease: true })

/** The chat, as long as the worker holds it that has claimed it. */
export const lockHeldChat = statement<
  ChatRow,
  Pick<ClaimedChat, 'account_id' | 'mode' | 'id' | 'lease_token'>
>(
  'lock_held_chat',
  `select ${chats.columns} from chats
   where account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token and lease_until is not null
   for no key update`,
)

/** Ends the lease. With `due_at`, the chat is due again then: null where nothing is to be done. */
export const leaveChat = statement<
  never,
  Pick<ClaimedChat, 'account_id' | 'mode' | 'id' | 'lease_token'> & { due_at: Date | null }
>(
  'leave_chat',
  `update chats set lease_until = null, due_at = $due_at
   where account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token`,
)

type Filters = Tenanted & { profile_id: string | null; status: string | null }

const isListed = `account_id = $account_id and mode = $mode
     and ($profile_id::text is null or profile_id = $profile_id) and ($status::text is null or status = $status)`

export const selectChats = statement<ChatRow, Filters & { limit: number; offset: number }>(
  'select_chats',
  `select ${chats.columns} from chats where ${isListed}
   order by coalesce(last_message_at, created_at) desc, id desc limit $limit offset $offset`,
)

export const countChats = statement<{ counted: number }, Filters & { cap: number }>(
  'count_chats',
  `select count(*)::int as counted from (select 1 from chats where ${isListed} limit $cap::int + 1) as one`,
)

/** Which of the ids are chats of the profile, and runs of these. */
export const selectOwnChats = statement<{ id: string }, Tenanted & { profile_id: string; ids: string[] }>(
  'select_own_chats',
  // guard own-chats-among-ids: an agent of one customer sees the rows of that customer
  `select id from chats
   where account_id = $account_id and mode = $mode and profile_id = $profile_id and id = any($ids::text[])
   union all
   select r.id from chat_runs r join chats c on c.account_id = r.account_id and c.mode = r.mode and c.id = r.chat_id
   where r.account_id = $account_id and r.mode = $mode and r.id = any($ids::text[]) and c.profile_id = $profile_id`,
)

/** A chat ends with its profile: with everything that was said. */
export const deleteChatsOfProfiles = statement<
  never,
  { account_ids: string[]; modes: Mode[]; profile_ids: string[] }
>(
  'delete_chats_of_profiles',
  `delete from chats c using unnest($account_ids::text[], $modes::mode[], $profile_ids::text[]) as gone (account_id, mode, profile_id)
   where c.account_id = gone.account_id and c.mode = gone.mode and c.profile_id = gone.profile_id`,
)
