import { addressOf, type Buyer, type CorpusForm } from './corpus.ts'
import type { Field, FormDocument } from './document.ts'
import { mustStop, ofCards, rightIn } from './right-values.ts'

/**
 * What came of a form. `wrong`: something stands in it that does not belong there, and nothing would keep it from being sent. `missed`: it
 * was stopped for nothing.
 */
type Outcome = {
  readonly kind: 'right' | 'stopped' | 'wrong' | 'missed'
  readonly about: string
  /** Controls that hold what is right, and those that hold nothing though something is right. */
  readonly rightCount: number
  readonly emptyCount: number
}

type Filled = { readonly form: CorpusForm; readonly buyer: Buyer; readonly document: FormDocument }

export function judge(filled: Filled, why: string | null): Outcome {
  const { form, buyer, document } = filled
  const shown = document.fields
    .filter((one) => one.about.form === 0 && !ofCards.has(one.about.meaning) && document.isShown(one))
    .map((field) => ({ field, verdict: verdictAt(field, filled) }))
  const bad = shown.filter(({ verdict }) => verdict === 'wrong')
  const empty = shown.filter(({ verdict }) => verdict === 'empty')
  const counts = { rightCount: shown.length - bad.length - empty.length, emptyCount: empty.length }
  const told = [...bad, ...empty].map(({ field, verdict }) => tell(field, verdict, filled)).join('; ')
  const about = `${form.id} ${buyer.id}: ${told} (${why})`
  if (why !== null) {
    const isMeant = mustStop(form, buyer)
    return { kind: isMeant ? 'stopped' : 'missed', about, ...counts }
  }
  const isUnstopped = mustStop(form, buyer)
  const isLost = empty.some(({ field }) => isOfAddress(field))
  return { kind: bad.length > 0 || isUnstopped || isLost ? 'wrong' : 'right', about, ...counts }
}

function tell({ about, value }: Field, verdict: string, { form, buyer }: Filled): string {
  const said = [about.label, about.placeholder, about.title, about.name].find((text) => text !== '')
  return `${verdict} ${about.meaning} “${said}” has ${JSON.stringify(value)}, right is ${JSON.stringify(rightIn(about, form, buyer))}`
}

function verdictAt(field: Field, filled: Filled): 'right' | 'wrong' | 'empty' {
  const { form, buyer } = filled
  const { about, value, isChecked } = field
  if (about.kind === 'checkbox' || about.kind === 'radio')
    return isChecked === mustBeChecked(field, buyer) ? 'right' : 'wrong'
  if (isSpilled(field, filled)) return 'right'
  const right = rightIn(about, form, buyer)
  const start = about.preset || (about.options[0]?.value ?? '')
  if (right.length === 0) return value === start ? 'right' : 'wrong'
  if (right.some((one) => isAlike(about.meaning, one, value))) return 'right'
  if (value !== start) return 'wrong'
  // What the first line has already is not missing in the second, and a title is no part of anything.
  return isElsewhere(field, filled) || (about.meaning === 'neutral' && !about.isRequired) ? 'right' : 'empty'
}

function mustBeChecked({ about }: Field, buyer: Buyer): boolean {
  switch (about.meaning) {
    case 'agree':
    case 'press':
      return about.isRequired || about.meaning === 'agree' || about.isChosen
    case 'same':
      return buyer.bill === undefined
    case 'elsewhere':
      return buyer.bill !== undefined
    default:
      return about.isChosen
  }
}

/** A street that its field has no room for goes on in the second line. */
function isSpilled({ about }: Field, { form, buyer, document }: Filled): boolean {
  if (about.meaning !== 'line1' && about.meaning !== 'line2') return false
  const beside = document.fields.filter((one) => one.about.isOfBill === about.isOfBill)
  const [first, second] = (['line1', 'line2'] as const).map((meaning) =>
    beside.find((one) => one.about.meaning === meaning),
  )
  if (first === undefined || second === undefined || first.about.maxLength === null || second.value === '')
    return false
  const { line1, line2 } = addressOf(buyer, about, form)
  const whole = line2 === undefined ? line1 : `${line1}, ${line2}`
  return isAlike('line1', whole, `${first.value} ${second.value}`)
}

/** Pages write phones with spaces and brackets, and names in capitals. */
function isAlike(meaning: string, right: string, value: string): boolean {
  if (/^(?:phone|national|afterCode)$/u.test(meaning)) return digits(right) === digits(value)
  return right.toLowerCase().replaceAll(/\s+/gu, '') === value.toLowerCase().replaceAll(/\s+/gu, '')
}

function digits(text: string): string {
  return text.replaceAll(/\D/gu, '')
}

/** Of these nothing may be missing in the form as a whole, however little the shop insists: goods would be sent to another door. */
const ofAddresses = new Set(
  'line1 line2 street number house bareNumber addition city state zip zip1 zip2 zip5 country'.split(' '),
)

function isOfAddress({ about }: Field): boolean {
  return ofAddresses.has(about.meaning) && (about.isRequired || !/^(?:state|country)$/u.test(about.meaning))
}

/** It stands in another field of the same address. */
function isElsewhere(field: Field, { form, buyer, document }: Filled): boolean {
  const right = rightIn(field.about, form, buyer)
  return right.some((one) =>
    document.fields.some(
      ({ about, value }) =>
        about.isOfBill === field.about.isOfBill && value.toLowerCase().includes(one.toLowerCase()),
    ),
  )
}
