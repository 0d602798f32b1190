import { clearLine, createInterface, cursorTo, type Interface } from 'node:readline'
import { CommandFailure } from '../failure.ts'
import { isTalking } from '../purchases/ask.ts'
import { Refusal } from '../purchases/product-api.ts'
import { note, out } from '../terminal.ts'
import type { RunStatus } from './chat-events.ts'
import type { ChatFeed } from './chat-feed.ts'
import type { ChatPrinter } from './chat-printer.ts'

/** Within this time a second signal of a process is the same request: `npm exec` hands on what the terminal has sent already. */
const sameRequestMs = 1_000

/** A person, or a program, and the agent. */
export class Conversation {
  readonly #printer: ChatPrinter
  readonly #feed: ChatFeed
  readonly #left = Promise.withResolvers<'left'>()
  #typing: Interface | null = null
  #isPromptShown = false
  #isStopAsked = false

  constructor(printer: ChatPrinter, open: (hears: ConstructorParameters<typeof ChatFeed>[1]) => ChatFeed) {
    this.#printer = printer
    this.#feed = open({
      event: (event) => {
        if (event.event.startsWith('part.')) this.#hidePrompt()
        printer.event(event)
        if (event.event === 'done' && !this.#feed.isAnswering) this.#prompt()
      },
      missed: (message) => {
        this.#hidePrompt()
        printer.message(message)
      },
      trouble: (error) => this.#tell(error),
    })
  }

  /** One message and its answer. The exit code is 1 where it was not answered to its end. */
  async ask(text: string): Promise<void> {
    const onSignal = this.#listenToSignals()
    try {
      this.#printer.wrote(text)
      const ended = await Promise.race([this.#feed.say(text), this.#left.promise])
      if (!isAnswered(ended)) process.exitCode = 1
    } finally {
      process.off('SIGINT', onSignal)
      this.#feed.close()
    }
  }

  /** Messages line by line, until there are no more or somebody leaves. */
  async talk({ json }: { json: boolean }): Promise<void> {
    const isByHand = isTalking({ json })
    const typing = createInterface({
      input: process.stdin,
      ...(isByHand ? { output: process.stderr, prompt: '> ' } : { terminal: false }),
    })
    const lines = typing[Symbol.asyncIterator]()
    if (isByHand) this.#typing = typing
    typing.on('SIGINT', () => this.#interrupt())
    const onSignal = this.#listenToSignals()
    try {
      // What is under way is heard without a word.
      this.#feed.follow()
      this.#prompt()
      for (;;) {
        const next = await Promise.race([lines.next(), this.#left.promise])
        if (next === 'left' || next.done) return
        if ((await this.#sayLine(next.value.trim(), isByHand)) === 'left') return
        this.#prompt()
      }
    } finally {
      process.off('SIGINT', onSignal)
      this.#typing = null
      typing.close()
      this.#feed.close()
    }
  }

  async #sayLine(text: string, isByHand: boolean): Promise<RunStatus | 'left' | null> {
    this.#isPromptShown = false
    this.#isStopAsked = false
    if (text === '') return null
    if (!isByHand) this.#printer.wrote(text)
    try {
      const ended = await Promise.race([this.#feed.say(text), this.#left.promise])
      if (!isByHand && !isAnswered(ended)) process.exitCode = 1
      return ended
    } catch (error) {
      // Who sits there can say something else.
      if (!isByHand || !(error instanceof Refusal)) throw error
      this.#tell(error)
      return null
    }
  }

  #listenToSignals(): () => void {
    let lastMs = Number.NEGATIVE_INFINITY
    const onSignal = () => {
      const isRepeated = performance.now() - lastMs < sameRequestMs
      lastMs = performance.now()
      if (!isRepeated) this.#interrupt()
    }
    process.on('SIGINT', onSignal)
    return onSignal
  }

  /** The first Ctrl-C stops an answer, the next one leaves. */
  #interrupt(): void {
    if (this.#isStopAsked) {
      if (this.#feed.isAnswering) process.exitCode = 1
      this.#hidePrompt()
      this.#left.resolve('left')
      return
    }
    this.#isStopAsked = true
    this.#hidePrompt()
    if (this.#feed.isAnswering) {
      note('Stopping the answer. Ctrl-C leaves.')
      this.#feed.stop().catch((error: unknown) => this.#tell(error))
      return
    }
    note('Ctrl-C again leaves. Nothing that is under way is stopped.')
    this.#prompt()
  }

  #tell(error: unknown): void {
    if (!(error instanceof CommandFailure)) throw error
    this.#hidePrompt()
    note(error.message)
  }

  #prompt(): void {
    if (this.#typing === null || this.#isPromptShown) return
    out('')
    this.#isPromptShown = true
    this.#typing.prompt(true)
  }

  /** What is typed already comes back with the next prompt. */
  #hidePrompt(): void {
    if (!this.#isPromptShown || this.#typing === null) return
    this.#isPromptShown = false
    cursorTo(process.stderr, 0)
    clearLine(process.stderr, 0)
  }
}

function isAnswered(ended: RunStatus | 'left'): boolean {
  return ended === 'completed' || ended === 'waiting'
}
