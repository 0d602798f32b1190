import { expectHeld } from '../../../platform/work/lease.ts'
import type { StepContext } from '../../../platform/work/work.ts'
import { ChatChange } from '../chat-change.ts'
import { type ClaimedChat, lockHeldChat } from '../chats.sql.ts'
import { type MessageRow, renderMessage } from '../message.ts'
import type { ChatPart } from '../parts.ts'
import type { RunRow } from '../run.ts'
import { selectRun } from '../runs.sql.ts'
import type { OpenRun } from './open-run.ts'

/** The run was asked to stop. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped'
}

/** A run that a worker holds: what it says is written under the lock of its chat, and only as long as the worker has the lease. */
export class Turn {
  readonly #ctx: StepContext
  readonly #claimed: ClaimedChat
  #open: OpenRun

  constructor(ctx: StepContext, claimed: ClaimedChat, open: OpenRun) {
    this.#ctx = ctx
    this.#claimed = claimed
    this.#open = open
  }

  get open(): OpenRun {
    return this.#open
  }

  /** Every part that is there: those of the messages before, and those of the answer. */
  get parts(): ChatPart[] {
    return this.#open.messages.flatMap(({ parts }) => parts)
  }

  /** One transaction. Throws `LeaseLost` where another worker has the chat, and `RunStopped` where somebody asked for that. */
  async write(work: (writing: Writing) => void, { evenStopped = false } = {}): Promise<void> {
    const { account_id, mode, id } = this.#claimed
    const open = this.#open
    await this.#ctx.transaction(async (acting) => {
      const [chats, run] = await Promise.all([
        acting.tx.rows(lockHeldChat(this.#claimed)),
        acting.tx.maybe(selectRun({ account_id, mode, id: open.run.id })),
      ])
      const chat = expectHeld(chats)
      // guard stopped-runs-say-nothing: a run that was asked to stop says nothing more
      if (!evenStopped && run?.stop_asked_at) throw new RunStopped()
      const change = new ChatChange(acting, chat)
      const writing = new Writing(change, open, acting.newId('msg'))
      work(writing)
      this.#open = writing.finish()
    }, id)
  }
}

/** What is written in one transaction. */
export class Writing {
  readonly change: ChatChange
  readonly #newMessageId: MessageRow['id']
  #open: OpenRun
  #isChanged = false

  constructor(change: ChatChange, open: OpenRun, newMessageId: MessageRow['id']) {
    this.change = change
    this.#open = open
    this.#newMessageId = newMessageId
  }

  get run(): RunRow {
    return this.#open.run
  }

  /** What is known of the purchases of the run: whether each is over. */
  get purchases(): ReadonlyMap<string, boolean> {
    return new Map(
      this.#open.purchases.map(({ purchase_intent_id, is_over }) => [purchase_intent_id, is_over]),
    )
  }

  get isAnyPurchaseOpen(): boolean {
    return this.#open.purchases.some(({ is_over }) => !is_over)
  }

  /** What is said about a purchase with this, so that it is not said again. */
  tell({ id, told, isOver }: { id: string; told: string; isOver: boolean }): void {
    const others = this.#open.purchases.filter(({ purchase_intent_id }) => purchase_intent_id !== id)
    this.#open = { ...this.#open, purchases: [...others, { purchase_intent_id: id, told, is_over: isOver }] }
    this.change.tellPurchase(this.run, { purchase_intent_id: id, told, is_over: isOver })
  }

  setRun(changed: Partial<RunRow>): void {
    this.#open = { ...this.#open, run: { ...this.#open.run, ...changed } }
  }

  /** A whole part. */
  add(part: ChatPart): void {
    this.completeText()
    const answer = this.#answer()
    const at = { message_id: answer.id, index: answer.parts.length }
    this.#put(answer, [...answer.parts, part])
    if (part.type === 'text') this.change.say(this.run, 'part.delta', { ...at, delta: part.text })
    this.change.say(this.run, 'part.completed', { ...at, part })
    if (part.type === 'action_request')
      this.change.say(this.run, 'requires_action', { message_id: answer.id, part })
  }

  /** A sentence of a text that may go on: it continues the last part, where that is the text at `index`. */
  say(sentence: string, index: number | null): number {
    if (index === null) this.completeText()
    const answer = this.#answer()
    const at = index ?? answer.parts.length
    const before = answer.parts[at]
    const text = before?.type === 'text' ? before.text + sentence : sentence
    this.#put(answer, [...answer.parts.slice(0, at), { type: 'text', text }])
    this.change.say(this.run, 'part.delta', { message_id: answer.id, index: at, delta: sentence })
    this.#open = { ...this.#open, unfinishedText: at }
    return at
  }

  /** The text that has not ended ends as it is: also one that a worker which is gone, or a model which failed, has begun. */
  completeText(): void {
    const { answer, unfinishedText: index } = this.#open
    const part = index === null ? undefined : answer?.parts[index]
    if (!answer || index === null || part === undefined) return
    this.change.say(this.run, 'part.completed', { message_id: answer.id, index, part })
    this.#open = { ...this.#open, unfinishedText: null }
  }

  /** Ends the message, if there is one. */
  endAnswer(status: MessageRow['status']): void {
    this.completeText()
    const at = this.change.now
    const { answer } = this.#open
    if (!answer) return
    const ended = { ...answer, status, completed_at: at }
    this.#replace(ended)
    this.change.say(this.run, 'message.completed', {
      message: renderMessage(ended, this.change.tenant),
    })
    this.#open = { ...this.#open, answer: null }
    this.setRun({ answer_id: null })
    this.change.updateMessage(ended)
    this.#isChanged = false
  }

  finish(): OpenRun {
    const { answer } = this.#open
    if (answer && this.#isChanged) this.change.updateMessage(answer)
    this.change.finish()
    this.#open = { ...this.#open, chat: this.change.chat }
    return this.#open
  }

  #answer(): MessageRow {
    const { answer, run } = this.#open
    if (answer) return answer
    const begun = this.change.addMessage(run, {
      id: this.#newMessageId,
      role: 'assistant',
      parts: [],
      client_message_id: null,
    })
    this.#open = { ...this.#open, answer: begun, messages: [...this.#open.messages, begun] }
    this.setRun({ answer_id: begun.id })
    return begun
  }

  #put(answer: MessageRow, parts: ChatPart[]): void {
    this.#replace({ ...answer, parts })
    this.#isChanged = true
  }

  #replace(answer: MessageRow): void {
    const messages = this.#open.messages.map((each) => (each.id === answer.id ? answer : each))
    this.#open = { ...this.#open, answer, messages }
  }
}
