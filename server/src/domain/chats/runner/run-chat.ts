import type { Principal } from '../../../platform/calls/principal.ts'
import { keepLease } from '../../../platform/work/keep-lease.ts'
import { expectHeld } from '../../../platform/work/lease.ts'
import type { StepContext } from '../../../platform/work/work.ts'
import { ChatChange } from '../chat-change.ts'
import { type ClaimedChat, chatLeases, leaveChat, lockHeldChat } from '../chats.sql.ts'
import type { ChatPart } from '../parts.ts'
import { remembered } from '../planner/memory.ts'
import { noticeIn } from '../planner/sentences/in-language.ts'
import type { ToolCall } from '../port.ts'
import { selectOpenRuns, selectRun } from '../runs.sql.ts'
import { actingIn } from './acting.ts'
import { cardsIn, isNews, partsOfAnswer, productList, standingOf } from './answer-parts.ts'
import { limitReached } from './limits.ts'
import type { RunnerDeps } from './means.ts'
import { missedRuns } from './missed-changes.ts'
import { openRun } from './open-run.ts'
import { checked, languageOf, Saying } from './saying.ts'
import { showProducts, showProductsTool } from './show-products.ts'
import { ThinkingFailed, type Thought } from './thinker.ts'
import { callTool, type ToolAnswer, toolsFor } from './tools.ts'
import { RunStopped, Turn, type Writing } from './turn.ts'

export const chatTiming = { leaseSeconds: 30, renewMs: 8_000, marginMs: 2_000, stopLookMs: 1_000 } as const

/** Answers what is to be answered in a chat, run by run and step by step, until nothing is left or this process stops. */
export async function runChat(ctx: StepContext, claimed: ClaimedChat, deps: RunnerDeps): Promise<void> {
  for (;;) {
    const open = await openRun(ctx, claimed, deps.means.thinker.messagesMax)
    if (!open) return await leave(ctx, claimed, await missedRuns(ctx, claimed, deps))
    const turn = new Turn(ctx, claimed, open)
    await ctx.faults.at('chat.taken')
    const runner = new Runner(ctx, claimed, turn, deps)
    await runner.run()
    if (ctx.signal.aborted) return await leave(ctx, claimed, 'unknown')
  }
}

/** Ends the lease. What was written meanwhile is due at once, and so are the runs that have missed a change of a purchase. */
async function leave(
  ctx: StepContext,
  claimed: ClaimedChat,
  missed: ReadonlySet<string> | 'unknown',
): Promise<void> {
  await ctx.transaction(async (acting) => {
    const { account_id, mode, id, lease_token } = claimed
    const chat = expectHeld(await acting.tx.rows(lockHeldChat(claimed)))
    const runs = await acting.tx.rows(selectOpenRuns({ account_id, mode, chat_id: id }))
    const woken =
      missed === 'unknown'
        ? []
        : runs.filter(({ id: run, status }) => status === 'waiting' && missed.has(run))
    const change = new ChatChange(acting, chat)
    for (const run of woken) change.updateRun({ ...run, status: 'queued', queued_at: acting.now })
    const isDue = woken.length > 0 || runs.some(({ status }) => missed === 'unknown' || status !== 'waiting')
    acting.tx.write(leaveChat({ account_id, mode, id, lease_token, due_at: isDue ? acting.now : null }))
  })
}

/** Nobody waits for ever for an answer that always fails on our side. */
const failuresMax = 3

/** One run at work. */
class Runner {
  readonly #ctx: StepContext
  readonly #claimed: ClaimedChat
  readonly #turn: Turn
  readonly #deps: RunnerDeps

  constructor(ctx: StepContext, claimed: ClaimedChat, turn: Turn, deps: RunnerDeps) {
    this.#ctx = ctx
    this.#claimed = claimed
    this.#turn = turn
    this.#deps = deps
  }

  async run(): Promise<void> {
    try {
      if (this.#claimed.step_failures >= failuresMax) return await this.#end('failed', 'internal_error')
      while (!this.#ctx.signal.aborted && (await this.#step()));
    } catch (error) {
      if (error instanceof RunStopped) return await this.#end('stopped', 'stopped')
      if (error instanceof ThinkingFailed) return await this.#end('failed', error.code, error.message)
      throw error
    }
  }

  /** One step; false: the run is over, or waits. */
  async #step(): Promise<boolean> {
    const { run, chat, purchases } = this.#turn.open
    if (run.stop_asked_at) throw new RunStopped()
    const scopes = this.#ctx.scopeCatalog
    const acting = await actingIn(this.#ctx.reads, {
      tenant: this.#ctx.tenant,
      chat,
      keyId: run.key_id,
      scopes,
    })
    if (typeof acting === 'string') {
      await this.#end('failed', acting)
      return false
    }
    const isWoken = run.status === 'queued' && purchases.length > 0
    if (isWoken) return await this.#lookAtPurchases(acting)
    const [next, ...rest] = run.calls
    if (next) {
      await this.#call(acting, next, rest)
      return true
    }
    const limit = await limitReached(this.#ctx, run, this.#deps.means)
    if (limit !== null) {
      await this.#end('failed', limit)
      return false
    }
    return await this.#think(acting)
  }

  async #think(acting: Principal): Promise<boolean> {
    const { thinker, tools } = this.#deps.means
    const { chat, run, messages, wish } = this.#turn.open
    const thread = {
      tenant: this.#ctx.tenant,
      chat,
      messages,
      wish,
      run,
      tools: thinker.isSlow ? toolsFor(tools, acting.scopes) : [],
    }
    const saying = new Saying(this.#turn, this.#ctx.faults)
    const onText = (piece: string) => saying.hear(piece)
    const think = (signal: AbortSignal) => thinker.think(thread, { signal, onText })
    const { signal } = this.#ctx
    const thought = await this.#said(saying, () =>
      thinker.isSlow ? this.#untilStopped(think, saying) : think(signal),
    )
    await this.#ctx.faults.at('chat.thought')
    await this.#turn.write((writing) => {
      writing.completeText()
      this.#writeThought(writing, thought)
    })
    return thought.calls.length > 0
  }

  /** A thought, once all that was said meanwhile is written. One that fails is over only when nothing of it is being written any more. */
  async #said(saying: Saying, think: () => Promise<Thought>): Promise<Thought> {
    try {
      const thought = await think()
      await saying.end()
      return thought
    } catch (error) {
      await saying.cease()
      throw error
    }
  }

  #writeThought(writing: Writing, thought: Thought): void {
    const { change, run } = writing
    const step = run.step + 1
    const calls = thought.calls.map((call, index) => ({ ...call, id: `call_${step}_${index + 1}` }))
    for (const part of productList(thought.show, this.#turn.parts)) writing.add(part)
    if (thought.text !== '') writing.add({ type: 'text', text: checked(thought.text, this.#turn) })
    for (const call of calls) writing.add(callPart(call))
    writing.setRun({ status: 'running', step, calls, tokens: run.tokens + BigInt(thought.tokens) })
    change.set({
      model: this.#deps.means.thinker.name,
      steps: change.chat.steps + 1,
      tokens: change.chat.tokens + BigInt(thought.tokens),
      cost: change.chat.cost + BigInt(thought.cost),
      ...(thought.memory === undefined ? {} : { memory: thought.memory }),
    })
    if (thought.tokens > 0) change.spend(thought)
    if (calls.length > 0) change.updateRun(writing.run)
    else this.#writeEnd(writing, 'completed', null)
  }

  async #call(acting: Principal, call: ToolCall, rest: readonly ToolCall[]): Promise<void> {
    this.#ctx.lease.assertHeld(chatTiming.marginMs)
    await this.#ctx.faults.at('chat.call.before')
    if (call.name === showProductsTool.name) return await this.#show(call, rest)
    const answer = await this.#answerOf(acting, call)
    await this.#ctx.faults.at('chat.call.after')
    const purchase = answer.isError ? null : await this.#withPage(acting, call, answer.result)
    await this.#turn.write((writing) => {
      writing.add(resultPart(call, answer))
      this.#writeAnswer(writing, call.name, answer, purchase)
      writing.setRun({ status: 'running', calls: [...rest] })
      writing.change.updateRun(writing.run)
    })
  }

  /** Products as cards: nothing outside is asked. */
  async #show(call: ToolCall, rest: readonly ToolCall[]): Promise<void> {
    const { shown, answer } = showProducts(call, this.#turn.parts)
    await this.#turn.write((writing) => {
      writing.add(resultPart(call, answer))
      for (const part of shown) writing.add(part)
      writing.setRun({ status: 'running', calls: [...rest] })
      writing.change.updateRun(writing.run)
    })
  }

  /**
   * A purchase of an answer, with the page on which a person answers, where one is needed. The page is asked for by code: whoever thinks
   * neither makes addresses nor has to think of them.
   */
  async #withPage(acting: Principal, call: ToolCall, result: unknown): Promise<unknown> {
    const standing = purchaseTools.has(call.name) ? standingOf(result) : null
    if (!standing) return null
    const args = { purchase_intent_id: standing.id }
    const ask = (name: string) =>
      this.#answerOf(acting, { id: `${call.id}_${name}`, name, args }, { isOurs: true })
    // Refused where this installation has no such pages; then a page of the integrator's has the component.
    if (standing.told.startsWith('needs ')) await ask('v1_create_approval_link')
    const read = await ask('v1_get_purchase_intent')
    return read.isError ? result : read.result
  }

  #answerOf(acting: Principal, call: ToolCall, { isOurs = false } = {}): Promise<ToolAnswer> {
    const { dispatch, means } = this.#deps
    const { tools, refusalBody } = means
    const key = `${this.#turn.open.run.id}:${call.id}`
    const { newId } = this.#ctx
    return this.#whileHeld((signal) =>
      callTool(acting, call, {
        tools,
        dispatch,
        newId: (prefix) => newId(prefix),
        signal,
        refusalBody,
        isOurs,
        key,
      }),
    )
  }

  /** Those of the messages that were read, the newest first, and those that the planner remembers of earlier ones. */
  #goods() {
    const { parts, open } = this.#turn
    return [...cardsIn(parts).toReversed(), ...remembered(open.chat.memory).shown]
  }

  #writeAnswer(writing: Writing, name: string, { isError, result }: ToolAnswer, purchase: unknown): void {
    if (isError) return
    for (const part of partsOfAnswer(name, purchase ?? result, this.#goods())) writing.add(part)
    const standing = standingOf(purchase)
    const isOurs = purchaseMakers.has(name) || writing.purchases.has(standing?.id ?? '')
    if (standing && isOurs) writing.tell(standing)
  }

  /** What has happened to the purchases that the run waits for. Where there is nothing new, it waits on and says nothing. */
  async #lookAtPurchases(acting: Principal): Promise<boolean> {
    const { run, purchases } = this.#turn.open
    const news: { call: ToolCall; answer: ToolAnswer; purchase: unknown }[] = []
    for (const [index, { purchase_intent_id: id, told }] of purchases
      .filter(({ is_over }) => !is_over)
      .entries()) {
      const call = {
        id: `call_${run.step}_news_${index + 1}`,
        name: 'v1_get_purchase_intent',
        args: { purchase_intent_id: id },
      }
      const answer = await this.#answerOf(acting, call)
      const standing = answer.isError ? null : standingOf(answer.result)
      if (isNews(standing, told))
        news.push({ call, answer, purchase: await this.#withPage(acting, call, answer.result) })
    }
    await this.#turn.write((writing) => {
      if (news.length === 0) return this.#writeEnd(writing, 'completed', null)
      for (const { call, answer, purchase } of news) {
        writing.add(callPart(call))
        writing.add(resultPart(call, answer))
        this.#writeAnswer(writing, call.name, answer, purchase)
      }
      writing.setRun({ status: 'running' })
      writing.change.updateRun(writing.run)
    })
    return news.length > 0
  }

  /** The run is over, or waits for its purchases. */
  #writeEnd(writing: Writing, status: 'completed' | 'stopped' | 'failed', because: string | null): void {
    const isWaiting = status === 'completed' && writing.isAnyPurchaseOpen
    writing.endAnswer(status)
    writing.setRun({
      status: isWaiting ? 'waiting' : status,
      calls: [],
      ended_because: because,
      ended_at: isWaiting ? null : writing.change.now,
    })
    writing.change.endRun(writing.run)
  }

  async #end(status: 'stopped' | 'failed', because: string, message?: string): Promise<void> {
    await this.#turn.write(
      (writing) => {
        const text = message ?? noticeIn(languageOf(this.#turn.open.chat.memory), because)
        writing.add({ type: 'notice', code: because, text })
        if (status === 'failed') writing.change.say(writing.run, 'error', { code: because, message: text })
        this.#writeEnd(writing, status, because)
      },
      { evenStopped: true },
    )
  }

  /** Whoever thinks for long is told when nobody wants the answer any more. */
  #untilStopped<T>(work: (signal: AbortSignal) => Promise<T>, { failed }: Saying): Promise<T> {
    return this.#whileHeld(async (signal) => {
      const stopped = new AbortController()
      const look = async () => {
        const { account_id, mode } = this.#claimed
        const run = await this.#ctx.reads.maybe(selectRun({ account_id, mode, id: this.#turn.open.run.id }))
        if (run?.stop_asked_at) stopped.abort(new RunStopped())
      }
      // A look that fails is followed by another.
      const looking = setInterval(() => void look().catch(() => undefined), chatTiming.stopLookMs)
      try {
        return await work(AbortSignal.any([signal, stopped.signal, failed]))
      } catch (error) {
        stopped.signal.throwIfAborted()
        failed.throwIfAborted()
        throw error
      } finally {
        clearInterval(looking)
      }
    })
  }

  /** The chat stays ours for as long as it takes. */
  #whileHeld<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const ctx = this.#ctx
    const kept = { row: this.#claimed, what: 'chat', leases: chatLeases, ...chatTiming }
    return keepLease(ctx, kept, (lost) => work(AbortSignal.any([lost, ctx.signal])))
  }
}

const purchaseTools: ReadonlySet<string> = new Set([
  'v1_create_purchase_intent',
  'v1_retry_purchase_intent',
  'v1_get_purchase_intent',
  'v1_cancel_purchase_intent',
])
const purchaseMakers: ReadonlySet<string> = new Set(['v1_create_purchase_intent', 'v1_retry_purchase_intent'])

function callPart({ id, name, args }: ToolCall): ChatPart {
  return { type: 'tool_call', id, name, arguments: args }
}

function resultPart({ id, name }: ToolCall, { isError, result }: ToolAnswer): ChatPart {
  return { type: 'tool_result', id, name, is_error: isError, result: bounded(result) }
}

const resultCharactersMax = 64 * 1024

/** What is kept of an answer. */
function bounded(result: unknown): unknown {
  const json = JSON.stringify(result)
  return json.length <= resultCharactersMax
    ? result
    : { is_cut: true, begins: json.slice(0, resultCharactersMax / 8) }
}
