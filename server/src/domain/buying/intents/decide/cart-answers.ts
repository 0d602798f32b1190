import type { Sealer } from '../../../../contract/context.ts'
import { openAnswer, sealAnswer } from '../../../buyers/shop-answers/public.ts'
import type { CartField } from './input-field.ts'

/** What a person has told of what a shop asked, as a row has it. */
export type StoredAnswer = {
  readonly host: string
  readonly name: string
  readonly label: string
  /** Whom the seal is bound to: the cart that was told, or the profile that keeps it. */
  readonly owner: string
  readonly sealed: string
}

/** `session`: the page of the shop that waits for them; null: none does. `asked`: how often the cart has asked. */
export type CartAnswers = {
  readonly given: readonly StoredAnswer[]
  readonly session: string | null
  readonly asked: number
}

export function storedAnswer(
  sealer: Sealer,
  owner: string,
  { name, label, host = '' }: CartField,
  value: string,
): StoredAnswer {
  return { host, name, label, owner, sealed: sealAnswer(sealer, { owner, host, name }, value) }
}

/** For the call to the shop alone. */
export function openAnswers(
  sealer: Sealer,
  answers: CartAnswers | null,
): { given: { host: string; name: string; value: string }[]; session: string | null } | null {
  if (answers === null) return null
  const given = answers.given.map(({ label: _, ...one }) => ({
    host: one.host,
    name: one.name,
    value: openAnswer(sealer, one),
  }))
  return { given, session: answers.session }
}
