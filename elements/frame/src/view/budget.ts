import type { Budget } from '../calls/standing-budget.ts'
import { moneyText } from '../money.ts'
import type { Words } from './words.ts'

/** The budget in the words of the person who is to approve it. */
export function budgetText(budget: Budget, { sentences, language }: Words): string {
  const { amount, currency, interval, expiresAt } = budget
  const upTo = sentences.budgetUpTo[interval](moneyText(amount, currency, language))
  if (expiresAt === null) return sentences.budget(upTo)
  const until = new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(new Date(expiresAt))
  return sentences.budgetUntil(upTo, until)
}
