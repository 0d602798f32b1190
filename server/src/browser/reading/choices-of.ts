import { intentOf } from './action-of.ts'
import { isListOfBrands } from './card-brands.ts'
import { assignFields } from './field-of.ts'
import { readAmounts } from './money-text.ts'
import type { Action, Control, PageSnapshot } from './page-snapshot.ts'
import type { Field, Intent } from './words/shop-words.ts'
import { findWords, tokensOf } from './words/words.ts'

/** One of several things that a page lets one choose. */
export type Alternative = {
  /** What is pressed; of a list, the list itself. */
  readonly ref: number
  /** Of a list; null where the element itself is pressed. */
  readonly value: string | null
  readonly label: string
  /** With what stands beside it: a price, or how long it takes. */
  readonly text: string
  readonly isChosen: boolean
  readonly isDisabled: boolean
}

/** `data`: what the buyer's own data answer, such as a country. `other`: the variants of a product, and all else. */
type About = 'account' | 'delivery' | 'payment' | 'data' | 'other'

/** `row`: a button in each row, with what it chooses beside it. */
export type Choice = {
  readonly about: About
  readonly how: 'radio' | 'select' | 'box' | 'button' | 'row'
  /** What is written at it, and its name in the form. */
  readonly name: string
  readonly controls: readonly Control[]
  readonly alternatives: readonly Alternative[]
  readonly form: number | null
  readonly isInDialog: boolean
  /** How much speaks for what it is about. */
  readonly score: number
}

/** What a page lets one choose, however it is drawn: radios, lists, buttons, and rows with a button each. */
export function choicesOf(snapshot: PageSnapshot): readonly Choice[] {
  const known = choices.get(snapshot)
  if (known !== undefined) return known
  const found = [
    ...radioChoices(snapshot),
    ...selectChoices(snapshot),
    ...boxChoices(snapshot),
    ...buttonChoices(snapshot),
    ...rowChoices(snapshot),
  ].map((choice) => ({ ...choice, ...aboutOf(choice, snapshot) }))
  choices.set(snapshot, found)
  return found
}

/** A snapshot does not change, and is asked about several times. */
const choices = new WeakMap<PageSnapshot, readonly Choice[]>()

/** The choices that are about this, the likeliest first. */
export function choicesAbout(snapshot: PageSnapshot, about: About): readonly Choice[] {
  return choicesOf(snapshot)
    .filter((choice) => choice.about === about)
    .toSorted((a, b) => b.score - a.score)
}

type Raw = Omit<Choice, 'about' | 'score'>

function radioChoices({ controls }: PageSnapshot): Raw[] {
  const groups = Map.groupBy(
    controls.filter(({ kind }) => kind === 'radio'),
    ({ form, name, group }) => `${form} ${name || group}`,
  )
  return [...groups.values()].map((radios) => ({
    how: 'radio',
    name: `${radios[0]?.group ?? ''} . ${plainName(radios[0]?.name ?? '')}`,
    controls: radios,
    alternatives: radios.map(({ ref, label, near, options, isChecked, isDisabled }) => ({
      ref,
      value: null,
      label: [label, near, options[0]?.text ?? ''].find((text) => text.trim() !== '') ?? '',
      // The price often stands beside the label, not in it.
      text: near !== '' && !label.includes(near) ? `${label} ${near}` : label,
      isChosen: isChecked,
      isDisabled,
    })),
    form: radios[0]?.form ?? null,
    isInDialog: radios.some(({ isInDialog }) => isInDialog),
  }))
}

function selectChoices({ controls }: PageSnapshot): Raw[] {
  return controls
    .filter(({ kind, isDisabled }) => kind === 'select' && !isDisabled)
    .map((control) => ({
      how: 'select',
      name: `${control.label} . ${control.near} . ${plainName(control.name)}`,
      controls: [control],
      alternatives: control.options
        .filter(({ value }) => value !== '')
        .map(({ value, text, isSelected, isDisabled }) => ({
          ref: control.ref,
          value,
          label: text,
          text,
          isChosen: isSelected,
          isDisabled,
        })),
      form: control.form,
      isInDialog: control.isInDialog,
    }))
}

/** A box by itself: `Do not create a customer account`. */
function boxChoices({ controls }: PageSnapshot): Raw[] {
  return controls
    .filter(({ kind }) => kind === 'checkbox')
    .map((control) => {
      const { ref, label, near, isChecked, isDisabled, form, isInDialog } = control
      const text = label || near
      return {
        how: 'box',
        name: '',
        controls: [control],
        alternatives: [{ ref, value: null, label: text, text, isChosen: isChecked, isDisabled }],
        form,
        isInDialog,
      }
    })
}

function plainName(name: string): string {
  return name.replace(/[_[\].-]/gu, ' ')
}

/** Buttons that are called as ways to pay, or as ways of delivery with what they cost. */
function buttonChoices({ controls, actions, language }: PageSnapshot): Raw[] {
  const fields = new Set(controls.map(({ ref }) => ref))
  const buttons = actions.filter(
    ({ ref, isInNavigation, role, name }) =>
      !isInNavigation && role !== 'link' && !fields.has(ref) && name.length <= 120 && name !== '',
  )
  const ofPayment = buttons.filter(
    ({ isSubmit, name }) => !isSubmit && name.length <= 60 && speaksOf('payments', name, language),
  )
  const ofDelivery = buttons.filter(
    ({ name }) =>
      speaksOf('deliveries', name, language) &&
      !speaksOf('payments', name, language) &&
      readAmounts(name, { currency: null, language }).length > 0,
  )
  return [ofPayment, ofDelivery].flatMap((all) =>
    [...Map.groupBy(all, ({ form }) => form).values()].map((group) => ofActions('button', group)),
  )
}

/** Buttons of one name, each of which says beside it what it chooses; one alone says that it chooses. */
function rowChoices({ controls, actions, language }: PageSnapshot): Raw[] {
  const fields = new Set(controls.map(({ ref }) => ref))
  const rows = actions.filter(
    ({ ref, isInNavigation, beside, name }) =>
      !isInNavigation && !fields.has(ref) && beside !== '' && name !== '' && name.length <= 40,
  )
  return [...Map.groupBy(rows, ({ name }) => tokensOf(name).join(' ')).values()]
    .filter((group) => group.length > 1 || saysToChoose(group[0]?.name ?? ''))
    .filter((group) => group.some(({ beside }) => isWay(beside, language)))
    .map((group) => ofActions('row', group))
}

function isWay(text: string, language: string): boolean {
  const hasAmount = readAmounts(text.slice(0, 200), { currency: null, language }).length > 0
  return speaksOf('payments', text, language) || (hasAmount && speaksOf('deliveries', text, language))
}

function ofActions(how: 'button' | 'row', group: readonly Action[]): Raw {
  return {
    how,
    name: '',
    controls: [],
    alternatives: group.map(({ ref, name, beside, isPressed, isDisabled }) => {
      const text = how === 'row' ? beside : name
      return { ref, value: null, label: text, text, isChosen: isPressed, isDisabled }
    }),
    form: group[0]?.form ?? null,
    isInDialog: group.some(({ isInDialog }) => isInDialog),
  }
}

/** What changes a choice was chosen before. */
const choosing =
  /^(?:please )?(?:select|choose|pick|use|w[äa]hl|ausw[äa]hl|choisi|s[ée]lection|selecc|elegir|elige|selezion|scegli|kies|selecteer|escolh|selecion|wybierz|v[äa]lj|選択)/iu

function saysToChoose(name: string): boolean {
  return choosing.test(name.trim()) || /(?:w[äa]hlen|選ぶ|選択)$/iu.test(name.trim())
}

function speaksOf(category: 'payments' | 'deliveries', text: string, language: string): boolean {
  return findWords(category, text.slice(0, 200), language).some(({ key }) => key !== 'method')
}

/** What the alternatives say counts before what the choice is called. */
function aboutOf(choice: Raw, snapshot: PageSnapshot): { about: About; score: number } {
  const { language } = snapshot
  const fields = assignFields(snapshot)
  // A list that asks for a part of an address, or for a date, is none of ways: `shipping_state`.
  if (
    choice.controls.some(
      (control) => control.kind === 'select' && (fields.has(control.ref) || isListOfBrands(control)),
    )
  )
    return { about: 'data', score: 1 }
  const texts = choice.alternatives.filter(({ isDisabled }) => !isDisabled).map(({ text }) => text)
  if (texts.length === 0) return { about: 'other', score: 0 }
  if (isOfAccount(choice, language)) return { about: 'account', score: 1 }
  // A box offers no alternative.
  if (choice.how === 'box') return { about: 'other', score: 0 }
  const payment = paymentScore(choice, texts, language)
  if (payment > 0) return { about: 'payment', score: payment }
  const delivery = deliveryScore(choice, texts, language)
  return delivery >= 1 ? { about: 'delivery', score: delivery } : { about: 'other', score: 0 }
}

/** How many are known to be ways to pay, if they are at least half. Buttons are a choice only where one of them is pressed. */
function paymentScore({ how }: Raw, texts: readonly string[], language: string): number {
  const known = texts.filter((text) => speaksOf('payments', text, language)).length
  if (how === 'row' || how === 'button' || known * 2 >= texts.length) return known
  return 0
}

function deliveryScore({ how, name }: Raw, texts: readonly string[], language: string): number {
  const said = texts.filter((text) => findWords('deliveries', text.slice(0, 200), language).length > 0).length
  const isPriced = texts.some(
    (text) => readAmounts(text.slice(0, 200), { currency: null, language }).length > 0,
  )
  // A list that neither speaks of them nor has a price is none.
  if (how === 'select' && said === 0 && !isPriced) return 0
  const named = findWords('deliveries', name.slice(0, 300), language).some(({ key }) => key === 'method')
    ? 1
    : 0
  return named + (named > 0 || said === texts.length || how === 'row' ? said / texts.length : 0)
}

/** What an alternative of an account is: to buy as a guest, to become a customer, or to be one. */
function accountOf(text: string, language: string): Intent | null {
  const found = findWords('actions', text.slice(0, 200), language)
  return ofAccounts.find((intent) => found.some(({ key }) => key === intent)) ?? null
}

const ofAccounts = ['as_guest', 'subscribe', 'sign_in'] as const satisfies readonly Intent[]

/** A guest, or two things of which one is to be a customer. */
function isOfAccount({ how, alternatives }: Raw, language: string): boolean {
  if (how === 'button' || how === 'row') return false
  const kinds = alternatives.map(({ text }) => accountOf(text, language))
  if (alternatives.length > 4) return false
  if (kinds.includes('as_guest')) return true
  return kinds.includes('sign_in') && kinds.includes('subscribe')
}

/** The choice to buy as a guest, where a page has one: an alternative, or a button beside which it is said. */
export function guestOf(snapshot: PageSnapshot): Alternative | null {
  for (const choice of choicesAbout(snapshot, 'account')) {
    const guest = guestIn(choice, snapshot)
    if (guest !== undefined) return guest
  }
  return guestButton(snapshot)
}

function guestIn({ alternatives }: Choice, { language }: PageSnapshot): Alternative | undefined {
  return alternatives.find(({ text, isDisabled }) => !isDisabled && accountOf(text, language) === 'as_guest')
}

/** `Continue` below `Checkout without account`, beside a sign-in. */
function guestButton(snapshot: PageSnapshot): Alternative | null {
  const { actions, controls, language } = snapshot
  const fields = assignFields(snapshot)
  const password = controls.find(({ ref }) => fields.get(ref) === 'password')
  if (password === undefined) return null
  const found = actions.find((action) => {
    if (action.isInNavigation || action.isDisabled || action.form === password.form) return false
    const intent = intentOf(action, language)
    return (
      (intent === 'continue' || intent === 'checkout') && accountOf(action.beside, language) === 'as_guest'
    )
  })
  if (found === undefined) return null
  const { ref, beside } = found
  return { ref, value: null, label: beside, text: beside, isChosen: false, isDisabled: false }
}

/** Something that opens the alternatives, which are not there yet: `Choose` beside a field that nobody types into. */
type Opener = {
  readonly about: 'delivery' | 'payment'
  readonly action: Action
  readonly isChosen: boolean
}

export function openersOf({ actions, controls, language }: PageSnapshot): Opener[] {
  const shown = controls.filter(({ kind, isDisabled }) => kind === 'text' && isDisabled)
  return actions
    .filter(({ name, role, isInNavigation }) => role !== 'link' && !isInNavigation && saysToChoose(name))
    .flatMap((action) => {
      const about = wayOf(`${action.name} . ${action.beside}`, language)
      if (about === null) return []
      const field = shown.find(
        ({ label, placeholder, near, group, name }) =>
          wayOf([label, placeholder, near, group, plainName(name)].join(' . '), language) === about,
      )
      return [{ about, action, isChosen: field !== undefined && !field.isEmpty }]
    })
}

function wayOf(text: string, language: string): Opener['about'] | null {
  const isNamed = (category: 'payments' | 'deliveries') =>
    findWords(category, text.slice(0, 200), language).some(({ key }) => key === 'method')
  if (isNamed('payments')) return 'payment'
  return isNamed('deliveries') ? 'delivery' : null
}

/**
 * Whether a field belongs to customers who sign in: a password stands in its form, and neither is a guest chosen there, nor is anything asked
 * that only an order needs.
 */
export function isOfSignIn(snapshot: PageSnapshot, { form }: Control): boolean {
  const own = fieldsOfForm(snapshot, form)
  if (!own.has('password') || ofOrders.some((field) => own.has(field))) return false
  return !choicesAbout(snapshot, 'account').some(
    (choice) => choice.form === form && guestIn(choice, snapshot)?.isChosen === true,
  )
}

/** A password that may stay empty beside what an order needs: who leaves it out buys as a guest. */
export function isOptionalPassword(snapshot: PageSnapshot): boolean {
  const fields = assignFields(snapshot)
  const passwords = snapshot.controls.filter(({ ref }) => fields.get(ref) === 'password')
  return (
    passwords.length > 0 &&
    passwords.every(
      ({ isRequired, form }) =>
        !isRequired && ofOrders.some((field) => fieldsOfForm(snapshot, form).has(field)),
    )
  )
}

function fieldsOfForm(snapshot: PageSnapshot, form: number | null): Set<Field | undefined> {
  const fields = assignFields(snapshot)
  return new Set(snapshot.controls.filter((one) => one.form === form).map(({ ref }) => fields.get(ref)))
}

const ofOrders = ['first_name', 'last_name', 'line1', 'street', 'city', 'postal_code'] as const
