import { useEffect, useRef, useState } from 'preact/hooks'
import { brandOf } from '../card/brands.ts'
import { groupedNumber } from '../card/card-number.ts'
import { type CardField, cardFields, checkCard, emptyDraft } from '../card/check-card.ts'
import { digitsIn } from '../card/digits.ts'
import type { TestCard } from '../facts.ts'
import { fieldId } from './card-fields.tsx'
import type { FieldErrors } from './steps.ts'

/** What is typed, and what is wrong with it. */
export function useCardDraft() {
  const [draft, setDraft] = useState(emptyDraft)
  /** What fills in a form by script changes several fields before anything is drawn again. */
  const latest = useRef(draft)
  latest.current = draft
  const [errors, setErrors] = useState<FieldErrors>({})
  const [isEnrolled, setEnrolled] = useState(false)
  const [wrong, setWrong] = useState<{ readonly field: CardField } | null>(null)
  const brand = brandOf(digitsIn(draft.number))?.name ?? null
  const complete = checkCard(draft, new Date()).faults === null

  useEffect(() => {
    if (wrong !== null) document.getElementById(fieldId(wrong.field))?.focus()
  }, [wrong])

  function mark(next: FieldErrors): void {
    setErrors(next)
    const field = cardFields.find((each) => next[each] !== undefined)
    if (field !== undefined) setWrong({ field })
  }

  return {
    draft,
    brand,
    complete,
    errors,
    isEnrolled,
    /** Whether agents may pay with it: its holder wants that, and its brand can. What was consented to for another number counts no more. */
    letsAgentsPay: isEnrolled && brandOf(digitsIn(draft.number))?.isAgentic === true,
    onEnroll: setEnrolled,
    onChange(field: CardField, text: string): void {
      const next = { ...latest.current, [field]: text }
      latest.current = next
      setDraft(next)
      const fault = checkCard(next, new Date()).faults?.[field]
      setErrors((before) => {
        const { [field]: error, ...others } = before
        if (error === undefined) return before
        return 'fault' in error && fault !== undefined ? { ...others, [field]: { fault } } : others
      })
    },
    /** Nobody is told of a field that they have not come to yet. */
    onLeave(field: CardField): void {
      const fault = checkCard(draft, new Date()).faults?.[field]
      if (fault !== undefined && draft[field] !== '') setErrors({ ...errors, [field]: { fault } })
    },
    onPick({ number }: TestCard): void {
      const code = brandOf(number)?.codeLength === 4 ? '1111' : '111'
      setDraft({ ...draft, number: groupedNumber(number), expiry: '01 / 30', code })
      setErrors({})
    },
    check() {
      const checked = checkCard(draft, new Date())
      const found = Object.entries(checked.faults ?? {}).map(([field, fault]) => [field, { fault }])
      mark(Object.fromEntries(found))
      return checked
    },
    refuse(field: CardField | null, refusal: string): void {
      if (field !== null) mark({ [field]: { refusal } })
    },
    /** Nothing of it is kept. */
    clear(): void {
      setDraft(emptyDraft)
      setErrors({})
      setEnrolled(false)
    },
  }
}
