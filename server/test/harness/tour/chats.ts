import type { TestApp } from '../app.ts'
import type { Go } from './stop.ts'

/** Every operation of chats. No worker answers: the messages wait. */
export async function tourChats(app: TestApp, go: Go): Promise<void> {
  const person = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'GB' }
  const { body: profile } = await app.post('/v1/profiles', person)
  const { body: chat } = await go('v1_create_chat', 'POST', '/v1/chats', { profile_id: profile.id })
  const path = `/v1/chats/${chat.id}`
  const message = { parts: [{ type: 'text', text: 'a quiet kettle under 40 euros' }] }
  const { body: run } = await go('v1_create_chat_message', 'POST', `${path}/messages`, message)
  await go('v1_stop_chat_run', 'POST', `${path}/runs/${run.run_id}/stop`)
  await go('v1_stream_chat', 'GET', `${path}/stream`)
  await go('v1_list_chat_messages', 'GET', `${path}/messages`)
  await go('v1_get_chat', 'GET', path)
  await go('v1_list_chats', 'GET', `/v1/chats?profile_id=${profile.id}`)
  await go('v1_export_chat', 'GET', `${path}/export`)
  await go('v1_archive_chat', 'POST', `${path}/archive`)
}
