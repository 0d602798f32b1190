import type { BankAnswer, BankQuestion, CardBank } from '../../src/domain/buying/verifications/port.ts'

/** A bank that was told what its customers say. */
export type MemoryBank = CardBank & {
  /** What it was asked, oldest first. */
  readonly asked: BankQuestion[]
  /** Answers what it was asked last. */
  says(answer: BankAnswer): void
  /** From here on it answers nothing, or everything again. */
  away: boolean
}

export function createMemoryBank(): MemoryBank {
  const answers = new Map<string, BankAnswer>()
  const asked: BankQuestion[] = []
  return {
    asked,
    away: false,
    says: (answer) => void answers.set(asked.at(-1)?.key ?? '', answer),
    async ask(question) {
      if (this.away) return { kind: 'away' }
      if (!asked.some(({ key }) => key === question.key)) asked.push(question)
      const { key } = question
      return { kind: 'asked', reference: key, url: `http://bank.example/${key}`, answer: said(key) }
    },
    async answerTo(reference) {
      return this.away ? 'away' : said(reference)
    },
  }

  function said(reference: string): BankAnswer {
    return answers.get(reference) ?? 'pending'
  }
}
