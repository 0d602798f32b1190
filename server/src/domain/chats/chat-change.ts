import type { ActingContext, Tenant } from '../../contract/context.ts'
import type { Id } from '../../core/id.ts'
import { type ChatRow, previewOf } from './chat.ts'
import { insertChatEvent } from './chat-events.sql.ts'
import { updateChat } from './chats.sql.ts'
import { type MessageRow, renderMessage } from './message.ts'
import { insertMessage, updateMessage } from './messages.sql.ts'
import { type ChatPart, textOf } from './parts.ts'
import { type RunRow, renderRun } from './run.ts'
import { addToDay, insertRun, tellPurchase, updateRun } from './runs.sql.ts'

type Writing = Pick<ActingContext, 'tenant' | 'tx' | 'now' | 'newId'>

/** What a stream is sent, by type. */
export type ChatEvents = {
  'message.created': { message: ReturnType<typeof renderMessage> }
  'part.delta': { message_id: string; index: number; delta: string }
  'part.completed': { message_id: string; index: number; part: ChatPart }
  requires_action: { message_id: string; part: ChatPart }
  'message.completed': { message: ReturnType<typeof renderMessage> }
  error: { code: string; message: string }
  done: { status: RunRow['status'] }
}

/** What changes in a chat in one transaction, under its lock. What streams are sent is written with it, so that no client sees less or more. */
export class ChatChange {
  readonly #ctx: Writing
  #chat: ChatRow

  constructor(ctx: Writing, chat: ChatRow) {
    this.#ctx = ctx
    this.#chat = chat
  }

  get tenant(): Tenant {
    return this.#ctx.tenant
  }

  get now(): Date {
    return this.#ctx.now
  }

  get chat(): ChatRow {
    return this.#chat
  }

  set(changed: Partial<ChatRow>): void {
    this.#chat = { ...this.#chat, ...changed }
  }

  say<T extends keyof ChatEvents>(run: Pick<RunRow, 'id'>, type: T, data: ChatEvents[T]): void {
    const position = this.#chat.position + 1n
    this.set({ position })
    const { now } = this.#ctx
    const json = JSON.stringify({ chat_id: this.#chat.id, run_id: run.id, ...data })
    this.#write(
      insertChatEvent({
        ...this.#whose,
        chat_id: this.#chat.id,
        position,
        run_id: run.id,
        type,
        data: json,
        created_at: now,
      }),
    )
  }

  addMessage(
    run: Pick<RunRow, 'id'>,
    given: Pick<MessageRow, 'role' | 'parts' | 'client_message_id'> & { id: Id<'msg'> },
  ): MessageRow {
    const { now } = this.#ctx
    const place = this.#chat.message_count + 1
    const isWritten = given.role === 'user'
    const row: MessageRow = {
      ...given,
      chat_id: this.#chat.id,
      place,
      status: isWritten ? 'completed' : 'writing',
      run_id: run.id,
      created_at: now,
      completed_at: isWritten ? now : null,
    }
    this.set({ message_count: place, last_message_at: now })
    this.#preview(row)
    this.#write(insertMessage({ ...row, ...this.#whose }))
    this.say(run, 'message.created', { message: renderMessage(row, this.#ctx.tenant) })
    return row
  }

  updateMessage(row: MessageRow): void {
    this.#preview(row)
    this.set({ last_message_at: this.#ctx.now })
    this.#write(updateMessage({ ...row, ...this.#whose }))
  }

  addRun(row: RunRow): void {
    this.#write(insertRun({ ...row, ...this.#whose }))
    this.#ctx.tx.emit({
      type: 'chat.run_queued',
      aggregateId: this.#chat.id,
      sequence: this.#next(),
      object: renderRun(row, this.#ctx.tenant),
    })
  }

  updateRun(row: RunRow): RunRow {
    const changed = { ...row, updated_at: this.#ctx.now }
    this.#write(updateRun({ ...changed, ...this.#whose }))
    return changed
  }

  tellPurchase(
    run: Pick<RunRow, 'id'>,
    told: { purchase_intent_id: string; told: string; is_over: boolean },
  ): void {
    this.#write(tellPurchase({ ...told, run_id: run.id, chat_id: this.#chat.id, ...this.#whose }))
  }

  /** Counts what a model has used against the day of the account. */
  spend({ tokens, cost }: { tokens: number; cost: number }): void {
    this.#write(addToDay({ tokens, cost, now: this.#ctx.now, ...this.#whose }))
  }

  /** A run has ended, or waits for a purchase. */
  endRun(row: RunRow): void {
    const ended = this.updateRun(row)
    this.say(row, 'done', { status: ended.status })
    if (ended.status !== 'waiting')
      this.#ctx.tx.emit({
        type: 'chat.run_ended',
        aggregateId: this.#chat.id,
        sequence: this.#next(),
        object: renderRun(ended, this.#ctx.tenant),
      })
  }

  /** The last call: it writes the chat, and tells those who read along. */
  finish(): void {
    this.set({ updated_at: this.#ctx.now })
    this.#write(updateChat({ ...this.#chat, ...this.#whose }))
    this.#ctx.tx.notify(this.#chat.id)
  }

  #next(): number {
    this.set({ seq: this.#chat.seq + 1 })
    return this.#chat.seq
  }

  #preview(row: MessageRow): void {
    const text = textOf(row.parts)
    if (text !== '') this.set({ last_message_preview: previewOf(text) })
  }

  #write: Writing['tx']['write'] = (statement) => this.#ctx.tx.write(statement)

  get #whose() {
    const { accountId: account_id, mode } = this.#ctx.tenant
    return { account_id, mode }
  }
}
