import { statement } from '../../contract/statement.ts'
import { aggregate, type Tenanted } from '../../platform/aggregate/aggregate.ts'
import type { MessageRow } from './message.ts'

type OfChat = Tenanted & { chat_id: string }

const messages = aggregate<MessageRow>()({
  table: 'chat_messages',
  columns: 'id, chat_id, place, role, status, parts, client_message_id, run_id, created_at, completed_at',
  key: ['id'],
  json: ['parts'],
  fixed: ['chat_id', 'place', 'role', 'client_message_id', 'run_id'],
})
const { columns } = messages

export const insertMessage = messages.insert('insert_chat_message')
export const selectMessage = messages.select('select_chat_message')
export const updateMessage = messages.update('update_chat_message')

/** Messages after a place, in order. */
export const selectMessages = statement<MessageRow, OfChat & { after: number; limit: number }>(
  'select_chat_messages',
  `select ${columns} from chat_messages
   where account_id = $account_id and mode = $mode and chat_id = $chat_id and place > $after order by place limit $limit`,
)

/** The newest messages, the newest first. */
export const selectLastMessages = statement<MessageRow, OfChat & { limit: number }>(
  'select_last_chat_messages',
  `select ${columns} from chat_messages
   where account_id = $account_id and mode = $mode and chat_id = $chat_id order by place desc limit $limit`,
)

/** The message that a client has given this id. */
export const selectClientMessage = statement<MessageRow, OfChat & { client_message_id: string }>(
  'select_client_message',
  `select ${columns} from chat_messages
   where account_id = $account_id and mode = $mode and chat_id = $chat_id and client_message_id = $client_message_id`,
)
