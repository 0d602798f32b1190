import type { Faults } from '../../../platform/faults/faults.ts'
import { CheckedStream } from '../amounts/checked-stream.ts'
import { checkedText } from '../amounts/checked-text.ts'
import { remembered } from '../planner/memory.ts'
import { noticeIn } from '../planner/sentences/in-language.ts'
import type { Language } from '../planner/understood.ts'
import { knownAmounts } from './known-amounts.ts'
import type { Turn } from './turn.ts'

/** What is said while a thought goes on: each sentence is checked and written once it is complete. */
export class Saying {
  readonly #turn: Turn
  readonly #faults: Faults
  readonly #checked: CheckedStream
  readonly #failed = new AbortController()
  #index: number | null = null
  /** What was said while something was being written. */
  #waiting = ''
  #isWriting = false
  #saying: Promise<void> = Promise.resolve()

  constructor(turn: Turn, faults: Faults) {
    this.#turn = turn
    this.#faults = faults
    this.#checked = new CheckedStream(() => knownAmounts(turn.parts, turn.open.chat.memory), leftOut(turn))
  }

  /** Aborts when something could not be written: nobody needs the rest. */
  get failed(): AbortSignal {
    return this.#failed.signal
  }

  hear(piece: string): void {
    this.#say(this.#checked.push(piece))
  }

  /** Waits until everything is written. */
  async end(): Promise<void> {
    this.#say(this.#checked.end())
    await this.#saying
  }

  /** What is not being written yet is not said. Who writes after this writes alone. */
  async cease(): Promise<void> {
    this.#waiting = ''
    await this.#saying.catch(() => undefined)
  }

  #say(text: string): void {
    this.#waiting += text
    if (this.#waiting === '' || this.#isWriting) return
    this.#isWriting = true
    this.#saying = this.#writeAll()
    this.#saying.catch((error: unknown) => this.#failed.abort(error))
  }

  /** Sentences that come faster than they are written are written together: each writes the message anew. */
  async #writeAll(): Promise<void> {
    while (this.#waiting !== '') {
      const text = this.#waiting
      this.#waiting = ''
      await this.#write(text)
    }
    this.#isWriting = false
  }

  async #write(text: string): Promise<void> {
    await this.#turn.write((writing) => {
      this.#index = writing.say(text, this.#index)
      writing.setRun({ status: 'running' })
      writing.change.updateRun(writing.run)
    })
    await this.#faults.at('chat.said')
  }
}

/** What is said, without sentences that name amounts which nothing in the chat has. */
export function checked(text: string, turn: Turn): string {
  // guard amounts-of-objects: no amount is said that no object of the chat has
  return checkedText(text, knownAmounts(turn.parts, turn.open.chat.memory), leftOut(turn)).text
}

function leftOut({ open }: Turn): string {
  return noticeIn(languageOf(open.chat.memory), 'amount_not_known')
}

export function languageOf(memory: unknown): Language {
  return remembered(memory).language
}
