import { type Amount, amountsIn } from './amounts.ts'
import { checkedText, sentenceEnds, usualNotice } from './checked-text.ts'

/** A row of this many characters without an end of a sentence is none that somebody reads. */
const pendingMax = 4_000

/**
 * Checks a text while it comes. A sentence is let out once the next one is complete, because an amount may stand over the end of what looks
 * like a sentence: `Fr. 12.50`.
 */
export class CheckedStream {
  readonly #known: () => readonly Amount[]
  readonly #notice: string
  #pending = ''
  #replaced = 0
  #wasReplaced = false

  /** `known` is asked whenever a sentence is complete: tools may return more while the model speaks. */
  constructor(known: () => readonly Amount[], notice: string = usualNotice) {
    this.#known = known
    this.#notice = notice
  }

  /** How many sentences were replaced so far. */
  get replaced(): number {
    return this.#replaced
  }

  /** What may be shown by now, in addition to what was. */
  push(delta: string): string {
    this.#pending += delta
    // Only these end a sentence, or stand behind its end.
    if (!/[.!?…。！？\s]/.test(delta) && this.#pending.length <= pendingMax) return ''
    let shown = ''
    for (;;) {
      // The last end is where the text ends so far.
      const [first = 0, second = 0, more] = sentenceEnds(this.#pending, [])
      if (more !== undefined) shown += this.#release(first, second)
      else if (this.#pending.length > pendingMax) shown += this.#release(pendingMax / 2, pendingMax)
      else return shown
    }
  }

  /** The rest, when no more comes. */
  end(): string {
    const rest = this.#pending
    return rest === '' ? '' : this.#checked(rest)
  }

  /** Lets out a sentence, and the one after it where an amount stands in both. */
  #release(first: number, second: number): string {
    const both = this.#pending.slice(0, second)
    const isOne = amountsIn(both).some(({ start, end }) => start < first && first < end)
    return this.#checked(isOne ? both : both.slice(0, first))
  }

  #checked(sentences: string): string {
    this.#pending = this.#pending.slice(sentences.length)
    const { text, replaced } = checkedText(sentences, this.#known(), this.#notice)
    this.#replaced += replaced
    const isRepeated = this.#wasReplaced && text.startsWith(this.#notice)
    this.#wasReplaced = text.trimEnd().endsWith(this.#notice)
    return isRepeated ? text.slice(this.#notice.length) : text
  }
}
