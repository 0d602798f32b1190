import type { Mode } from '../../../contract/context.ts'
import { definePort } from '../../../contract/port.ts'

/** What the bank of a card is to ask the card's holder. The same key always asks the same question. */
export type BankQuestion = {
  readonly key: string
  /** The card as the network of test mode knows it; null: by no such name. */
  readonly testCard: string | null
  /** As its rail knows it, where a rail keeps it. */
  readonly kept: { readonly customer: string; readonly method: string } | null
  readonly purpose: 'approval' | 'enrollment'
  /** The most that can be charged, in minor units; null where nothing is. */
  readonly amount: bigint | null
  readonly currency: string | null
  readonly shops: readonly string[]
  /** Where the page of the bank leads afterwards. */
  readonly returnUrl: string
}

export type BankAnswer = 'pending' | 'confirmed' | 'refused'

/** `away`: it cannot be asked at the moment, or this installation has no way to it. */
export type AskedBank =
  | {
      readonly kind: 'asked'
      readonly reference: string
      /** The page on which the bank asks. */
      readonly url: string
      readonly answer: BankAnswer
    }
  | { readonly kind: 'away' }

/** The bank that has issued a card, which asks the card's holder on a page of its own, and whose word alone proves something. */
export interface CardBank {
  ask(question: BankQuestion, call: { mode: Mode; timeoutMs: number }): Promise<AskedBank>
  answerTo(reference: string, call: { mode: Mode; timeoutMs: number }): Promise<BankAnswer | 'away'>
}

/** Each mode has banks of its own. */
export function banksByMode(banks: Readonly<Partial<Record<Mode, CardBank>>>): CardBank {
  const of = (mode: Mode) => banks[mode] ?? noCardBank
  return {
    ask: (question, call) => of(call.mode).ask(question, call),
    answerTo: (reference, call) => of(call.mode).answerTo(reference, call),
  }
}

export const CardBank = definePort<CardBank>('bank of a card')

/** For a process that has no way to any bank. */
export const noCardBank: CardBank = {
  ask: async () => ({ kind: 'away' }),
  answerTo: async () => 'away',
}

/** As long as the bank is waited for. */
export const cardBankBudgetMs = 4_000
