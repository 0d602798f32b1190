import type { GivenAnswer, ShopField, ShopRequest } from '../../channels/browser/shopping-words.ts'
import { dialCodeOf, readPhone } from '../reading/dial-codes.ts'
import type { Control, PageSnapshot } from '../reading/page-snapshot.ts'
import { askedBy, choicesOf, fieldOf } from './ask-field.ts'
import type { Entry } from './buyer-fields.ts'
import type { ShopTask } from './shop-task.ts'

export function answerTo(answers: readonly GivenAnswer[], host: string, name: string): string | null {
  // guard answered-at-its-host: what was answered to one host is typed at no other
  return answers.find((one) => one.host === host && one.name === name)?.value ?? null
}

/** What the buyer's data lack and a person has told this host: in the forms of the buyer's own, where it is of their kind. */
export function requestAt({ request, answers }: ShopTask, page: PageSnapshot): ShopRequest {
  const host = new URL(page.url).hostname
  const { buyer } = request
  const told = (name: string) => answerTo(answers, host, name)
  const phone = buyer.phone ?? phoneOf(told('phone'), buyer.shipTo?.country ?? null)
  const shipTo = buyer.shipTo && {
    ...buyer.shipTo,
    postalCode: buyer.shipTo.postalCode ?? told('postal_code'),
  }
  return { ...request, buyer: { ...buyer, phone, shipTo } }
}

/** As it is written with the code of its country; a number without one is of the country that the goods go to. */
function phoneOf(told: string | null, country: string | null): string | null {
  if (told === null) return null
  const written = told.trim().replace(/^00/u, '+')
  const dialCode = country === null ? null : dialCodeOf(country)
  const whole =
    written.startsWith('+') || dialCode === null ? written : `+${dialCode}${written.replace(/^0/u, '')}`
  return /^\+?[\d\s()./-]+$/u.test(written) ? (readPhone(whole)?.e164 ?? null) : null
}

/** What was answered to the fields of a page that take words or offer a list. Where the buyer has something, that is typed. */
export function answeredEntries(task: ShopTask, page: PageSnapshot, own: readonly Entry[]): Entry[] {
  if (task.answers.length === 0) return []
  return page.controls.flatMap((control) => {
    if (control.kind === 'radio' || own.some((entry) => entry.control.ref === control.ref)) return []
    const told = toldFor(task, page, control)
    if (told === null) return []
    const { field, value } = told
    const text = field.kind === 'choice' ? chosenFor(page, control, value)?.value : value
    return text == null
      ? []
      : [
          {
            control,
            field: fieldOf(page, control) ?? 'order_notes',
            text,
            others: [],
            isOfGoods: false,
            isAnswer: true,
          },
        ]
  })
}

/** The choices that were answered and are not made. */
export function answeredRadios(task: ShopTask, page: PageSnapshot): Control[] {
  if (task.answers.length === 0) return []
  return page.controls.filter((control) => {
    if (control.kind !== 'radio' || control.isChecked) return false
    const told = toldFor(task, page, control)
    return told !== null && chosenFor(page, control, told.value)?.ref === control.ref
  })
}

function toldFor(
  { answers, insisted }: Pick<ShopTask, 'answers' | 'insisted'>,
  page: PageSnapshot,
  control: Control,
): { field: ShopField; value: string } | null {
  // The page may have changed since: it still asks for the same, and for no secret.
  const field = askedBy(page, control)
  if (field === null || field === 'secret') return null
  if (!control.isRequired && control.kind === 'text' && !insisted.has(field.name)) return null
  const value = answerTo(answers, new URL(page.url).hostname, field.name)
  const isFitting = value !== null && (field.max_length === undefined || value.length <= field.max_length)
  return isFitting ? { field, value } : null
}

function chosenFor(page: PageSnapshot, control: Control, value: string) {
  return choicesOf(page, control).find(({ label }) => label === value)
}
