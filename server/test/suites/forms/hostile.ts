import { findCardForm } from '../../../src/browser/shopper/card-form.ts'
import { keepStanding } from '../../../src/browser/shopper/page-script.ts'
import { whyNoCard, whyNotTyped } from '../../../src/browser/shopper/prove-card.ts'
import { typeCard } from '../../../src/browser/shopper/type-card.ts'
import type { CardToType } from '../../../src/browser/shopper/visit.ts'
import { fillIn, whyNotSent } from './buy.ts'
import type { Buyer, CorpusControl, CorpusForm } from './corpus.ts'
import { type Field, FormDocument, type Happening } from './document.ts'
import { judge } from './judge.ts'
import { oneOf } from './plant.ts'

const card: CardToType = {
  number: '4242424242424242',
  expMonth: 7,
  expYear: 2031,
  securityCode: '314',
  holder: 'Card Holder',
}

/** `problem`: digits of the card went elsewhere, or the order would have been sent with something wrong. */
type HostileOutcome = { readonly isSent: boolean; readonly problem: string | null; readonly told: string }

/** A checkout on one page: the form of a shop, and that of a card below it. */
export function withCard(form: CorpusForm, cardForm: CorpusForm): CorpusForm {
  const own = form.controls.filter((control) => control.form === 0)
  const more = cardForm.controls.map((control) => ({ ...control, form: 0 }))
  return { ...form, id: `${form.id}+${cardForm.id}`, controls: [...own, ...more], buttons: ['Pay now'] }
}

/** Buys at a page whose script does what it can: the witness is what each field was for at the moment when it got a digit. */
export async function buyAtHostile(
  form: CorpusForm,
  buyer: Buyer,
  random: () => number,
): Promise<HostileOutcome> {
  const document = new FormDocument(form)
  const strayed: string[] = []
  const told = plan(document, random, strayed)
  const task = await fillIn(document, buyer)
  const stopped = (why: string) => ({ isSent: false, problem: strayed[0] ?? null, told: `${told}: ${why}` })
  const found = await findCardForm(task)
  if (found === null) return stopped('no card')
  const why = whyNoCard(found.form, found.pages) ?? (await whyNotSent(task))
  if (why !== null) return stopped(why)
  await keepStanding(task.tab.page.mainFrame())
  await typeCard(task, found.form, card).catch(() => undefined)
  const wrong = await whyNotTyped(task, found.form, card)
  if (wrong !== null) return stopped(wrong)
  const outcome = judge({ form, buyer, document }, null)
  const problem = strayed[0] ?? (outcome.kind === 'wrong' ? outcome.about : null)
  return { isSent: true, problem, told }
}

type Trick = (document: FormDocument, random: () => number) => void

/** What is done once or twice, each time at another happening. */
function plan(document: FormDocument, random: () => number, strayed: string[]): string {
  const names = Object.keys(tricks)
  const planned = Array.from({ length: 1 + Math.floor(random() * 2) }, () => ({
    name: oneOf(names, random) ?? '',
    at: 1 + Math.floor(random() * 30),
  }))
  let count = 0
  let isCardTyped = false
  document.script = (happening) => {
    if (happening.kind === 'typed') watch(document, happening, strayed)
    isCardTyped ||= happening.kind === 'typed' && digitsIn(document.field(happening.ref)) >= 4
    count += 1
    // What a field is called once its value stands, nobody can see any more.
    for (const { name, at } of planned)
      if (at === count && !(isCardTyped && ofLabels.has(name))) tricks[name]?.(document, random)
  }
  return planned.map(({ name, at }) => `${name} at ${at}`).join(', ')
}

/** Digits of the card in any field, as long as that is not for its number at this moment. */
function watch(document: FormDocument, { ref }: Happening, strayed: string[]): void {
  const field = document.field(ref)
  if (field !== undefined && digitsIn(field) >= 4 && field.about.meaning !== 'card')
    strayed.push(`digits of the card in ${field.about.meaning} “${field.about.label}”`)
}

/** How many digits of the card stand at the beginning of a field. */
function digitsIn(field: Field | undefined): number {
  const digits = field?.value.replaceAll(/[ -]/gu, '') ?? ''
  return digits !== '' && card.number.startsWith(digits) ? digits.length : 0
}

const ofLabels = new Set(['swaps labels', 'calls a field a card', 'calls the card something else'])

const tricks: Readonly<Record<string, Trick>> = {
  'moves a field': (document, random) => {
    const order = [...document.order]
    const [moved] = order.splice(Math.floor(random() * order.length), 1)
    if (moved !== undefined) order.splice(Math.floor(random() * order.length), 0, moved)
    document.reorder(order)
  },
  'swaps labels': (document, random) => {
    const [one, other] = [oneOf(textsOf(document), random), oneOf(textsOf(document), random)]
    if (one === undefined || other === undefined) return
    const { about } = one
    one.about = { ...other.about, maxLength: about.maxLength }
    other.about = { ...about, maxLength: other.about.maxLength }
  },
  'adds a second card field': (document, random) => {
    const field = document.fields.find(({ about }) => about.meaning === 'card')
    if (field === undefined) return
    document.add(
      { ...field.about, meaning: 'nothing', isRequired: false },
      Math.floor(random() * document.order.length),
    )
  },
  'adds a loyalty card': (document, random) => {
    document.add(
      { ...blank, label: 'Bonus card number', name: 'card_number_2' },
      Math.floor(random() * document.order.length),
    )
  },
  'changes a value': (document, random) => {
    const field = oneOf(
      textsOf(document).filter(({ value, about }) => value !== '' && about.meaning !== 'nothing'),
      random,
    )
    if (field !== undefined && digitsIn(field) < 4) field.value = `${field.value.slice(0, -1)}7`
  },
  'copies a value': (document, random) => {
    const [from, to] = [oneOf(textsOf(document), random), oneOf(textsOf(document), random)]
    if (from !== undefined && to !== undefined && from.value.length >= 5 && digitsIn(from) < 4)
      to.value = from.value
  },
  'empties a field': (document, random) => {
    const field = oneOf(textsOf(document), random)
    if (field !== undefined) field.value = ''
  },
  'calls a field a card': (document, random) => {
    const field = oneOf(
      textsOf(document).filter(({ about }) => about.meaning !== 'card'),
      random,
    )
    if (field !== undefined)
      field.about = { ...field.about, meaning: 'nothing', label: 'Card number', autocomplete: '' }
  },
  'calls the card something else': (document) => {
    const field = document.fields.find(({ about }) => about.meaning === 'card')
    if (field !== undefined)
      field.about = { ...field.about, meaning: 'nothing', label: 'Gift card number', autocomplete: '' }
  },
  'asks for more': (document, random) => {
    const field = oneOf(
      textsOf(document).filter(({ about }) => about.meaning === 'nothing'),
      random,
    )
    if (field !== undefined) field.about = { ...field.about, isRequired: true }
  },
}

function textsOf(document: FormDocument): Field[] {
  return document.order.filter(({ about }) => about.kind === 'text' && about.type !== 'password')
}

const blank: CorpusControl = {
  meaning: 'nothing',
  isOfBill: false,
  isRequired: false,
  label: '',
  name: '',
  id: '',
  autocomplete: '',
  kind: 'text',
  type: 'text',
  maxLength: null,
  pattern: '',
  inputMode: '',
  placeholder: '',
  group: '',
  title: '',
  isChosen: false,
  options: [],
  preset: '',
  when: 'always',
  form: 0,
}
