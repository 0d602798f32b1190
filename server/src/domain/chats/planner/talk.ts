import type { ToolCall } from '../port.ts'
import type { Memory, Shown, Stored } from './memory.ts'
import { priceText } from './price-text.ts'
import { sentencesIn } from './sentences/in-language.ts'
import type { Sentences } from './sentences/sentences.ts'
import type { Wish } from './understood.ts'

export type Call = Omit<ToolCall, 'id'>
export type Wanted<A extends Wish['action'] = Wish['action']> = Extract<Stored<Wish>, { action: A }>

/** An answer of an operation. */
export type Heard = { readonly name: string; readonly isError: boolean; readonly result: unknown }

/** One turn of talk: what is remembered, said and shown so far. */
export class Talk {
  readonly show: string[] = []
  readonly say: Sentences
  readonly #said: string[] = []
  #memory: Memory

  constructor(memory: Memory) {
    this.#memory = memory
    this.say = sentencesIn(memory.language)
  }

  get memory(): Memory {
    return this.#memory
  }

  get text(): string {
    return this.#said.join(' ')
  }

  remember(changed: Partial<Memory>): void {
    this.#memory = { ...this.#memory, ...changed }
  }

  /** Says something, and calls nothing. */
  tell(...sentences: readonly string[]): Call[] {
    this.#said.push(...sentences)
    return []
  }

  price({ amount, currency }: Pick<Shown, 'amount' | 'currency'>): string {
    return priceText(this.#memory.language, amount, currency)
  }

  /** The one product that is meant; null: it has asked which. */
  oneOf(products: readonly Shown[]): Shown | null {
    const [one] = products
    if (products.length === 1 && one) return one
    const { shown } = this.#memory
    if (shown.length === 0) this.tell(this.say.nothingShown)
    else this.tell(products.length === 0 ? this.say.onlyShown(shown.length) : this.say.which)
    return null
  }
}
