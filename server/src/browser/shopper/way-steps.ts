import type { ShopChoice, ShopControl, ShopRequest, ShopStep } from '../../channels/browser/shopping-words.ts'
import { rankActions } from '../reading/action-of.ts'
import { isListOfBrands } from '../reading/card-brands.ts'
import { type Alternative, choicesAbout, guestOf, isOfSignIn } from '../reading/choices-of.ts'
import { deliveryOptions } from '../reading/delivery-options.ts'
import { cleanText } from '../reading/json-ld.ts'
import { kindOf } from '../reading/page-kind.ts'
import type { Control, PageSnapshot } from '../reading/page-snapshot.ts'
import { paymentMethods } from '../reading/payment-methods.ts'
import { productOf } from '../reading/product-of.ts'
import { withoutBuyer } from '../reading/reader-page.ts'
import { type VariantGroup, variantGroups } from '../reading/variant-groups.ts'
import type { Field } from '../reading/words/shop-words.ts'
import { askedBy, fieldOf } from './ask-field.ts'
import { addressBoxes, buyerEntries, listEntries, neededBoxes, neutralSalutations } from './buyer-fields.ts'
import { ofCards } from './card-fields.ts'
import { cardMethodOf } from './card-method.ts'
import { wantedDelivery } from './wanted-delivery.ts'
import { placeOf, type WayNotes } from './way-notes.ts'

const labelMax = 80
const controlsMax = 60
const alternativesMax = 20

/** The pages of a way, with what each control on them would get from this buyer. Nothing is said of what would stand there. */
export function stepsOf({ steps }: WayNotes, request: ShopRequest): ShopStep[] {
  const clean = withoutBuyer(request)
  return steps.flatMap(({ pages, pressed }) => {
    const last = pages.at(-1)
    if (last === undefined) return []
    const controls = new Map<string, ShopControl>()
    for (const one of pages.flatMap((page) => controlsOf(page, request))) {
      const key = JSON.stringify([one.label, one.field])
      const before = controls.get(key)
      // What was ticked needs nothing more.
      if (before === undefined || before.fate === 'left') controls.set(key, one)
    }
    const choices = new Map(
      pages.flatMap((page) =>
        choicesOn(page, request).map((one) => [`${one.about} ${one.name}`, one] as const),
      ),
    )
    return {
      page: kindOf(last).kind,
      url: placeOf(last),
      pressed: pressed.map(clean),
      controls: [...controls.values()]
        .slice(0, controlsMax)
        .map((one) => ({ ...one, label: clean(one.label) })),
      choices: [...choices.values()].map(({ about, name, alternatives, taken }) => ({
        about,
        name: clean(name),
        alternatives: alternatives.map(clean),
        taken: taken === null ? null : clean(taken),
      })),
    }
  })
}

/** What is decided on a page by something else than who buys. */
type Decided = { readonly fate: ShopControl['fate']; readonly field: string | null }

function controlsOf(page: PageSnapshot, request: ShopRequest): ShopControl[] {
  const isProduct = kindOf(page).kind === 'product'
  const decided = isProduct ? decidedAtProduct(page) : decidedAtCheckout(page, request)
  const skipped = isProduct ? ofVariants(page) : chosenOtherwise(page)
  const sends = rankActions(page, 'add_to_cart')[0]?.form ?? null
  return page.controls.flatMap((control) => {
    const { ref, isDisabled, isRequired, form } = control
    const known = decided.get(ref)
    const field = fieldOf(page, control)
    if (isDisabled || skipped.has(ref) || (known === undefined && isOfPage(field))) return []
    // A page of a product has forms for other things.
    if (isProduct && known === undefined && !(isRequired && form === sends && control.isEmpty)) return []
    const fate = known?.fate ?? fateOf(page, control, field)
    return [{ label: labelFor(control), field: known?.field ?? field, fate, isRequired }]
  })
}

function isOfPage(field: Field | null): boolean {
  return field === 'search' || field === 'newsletter'
}

function labelFor({ label, placeholder, near, group, name }: Control): string {
  return (
    cleanText(label || placeholder || near || group || name, labelMax)?.replace(/\s*[:*]+\s*$/u, '') ?? ''
  )
}

function decidedAtProduct(page: PageSnapshot): Map<number, Decided> {
  const counts = page.controls.filter((control) => fieldOf(page, control) === 'quantity')
  return new Map(counts.map(({ ref }) => [ref, { fate: 'typed', field: 'quantity' }]))
}

/** What is one of the variants, which are told as choices. */
function ofVariants(page: PageSnapshot): Set<number> {
  return new Set(groupsOn(page).flatMap(({ options }) => options.map(({ ref }) => ref)))
}

function groupsOn(page: PageSnapshot): VariantGroup[] {
  return variantGroups(page, productOf(page)).filter(({ options }) => options.length > 1)
}

function decidedAtCheckout(page: PageSnapshot, request: ShopRequest): Map<number, Decided> {
  const known = { isGoodsAddressKnown: false }
  const of = (fate: Decided['fate']) => (control: Control) =>
    [control.ref, { fate, field: fieldOf(page, control) }] as const
  return new Map<number, Decided>([
    ...page.controls.filter((control) => isOfSignIn(page, control)).map(of('left')),
    ...addressBoxes(page, request).map(of('ticked')),
    ...neededBoxes(page).map(of('ticked')),
    ...neutralSalutations(page).map(of('chosen')),
    ...listEntries(page, request, known).map(({ control }) => of('chosen')(control)),
    ...buyerEntries(page, request, known).map(
      ({ control, field }) =>
        [control.ref, { fate: control.kind === 'select' ? 'chosen' : 'typed', field }] as const,
    ),
  ])
}

/** What is one of the choices, which are told as such. */
function chosenOtherwise(page: PageSnapshot): Set<number> {
  return new Set(
    told.flatMap((about) =>
      choicesAbout(page, about).flatMap(({ controls }) => controls.map(({ ref }) => ref)),
    ),
  )
}

const told = ['account', 'delivery', 'payment'] as const

/** Of what this buyer has nothing for: whether it is a card's, asked, never asked, or stops the purchase where it is required. */
function fateOf(page: PageSnapshot, control: Control, field: Field | null): ShopControl['fate'] {
  // It stands as it was ticked on the way.
  if (control.kind === 'checkbox' && control.isChecked && (control.isRequired || field === 'terms_consent'))
    return 'ticked'
  if ((field !== null && ofCards.has(field)) || isListOfBrands(control)) return 'card'
  const asked = askedBy(page, control)
  if (!control.isRequired) return 'left'
  if (asked === 'secret') return 'secret'
  if (control.kind === 'checkbox' || isFilled(page, control)) return 'left'
  return asked === null ? 'stuck' : 'asked'
}

/** The shop itself has chosen, or filled in, something there. */
function isFilled({ controls }: PageSnapshot, control: Control): boolean {
  switch (control.kind) {
    case 'radio':
      return controls.some(
        ({ kind, form, name, isChecked }) =>
          kind === 'radio' && form === control.form && name === control.name && isChecked,
      )
    case 'select':
      return (control.options.find(({ isSelected }) => isSelected)?.value ?? '') !== ''
    default:
      return !control.isEmpty
  }
}

function choicesOn(page: PageSnapshot, request: ShopRequest): ShopChoice[] {
  const all = kindOf(page).kind === 'product' ? variantsOn(page) : waysOn(page, request)
  return all.filter(({ alternatives }) => alternatives.length > 0)
}

function variantsOn(page: PageSnapshot): ShopChoice[] {
  return groupsOn(page).map(({ name, options }) => {
    const taken = options.find(({ isSelected }) => isSelected)
    return {
      about: 'variant',
      name: cleanText(name, labelMax) ?? '',
      alternatives: words(options.map(({ text: label }) => ({ label }))),
      taken: taken === undefined ? null : wordOf({ label: taken.text }),
    }
  })
}

function waysOn(page: PageSnapshot, request: ShopRequest): ShopChoice[] {
  const guest = guestOf(page)
  const [account] = choicesAbout(page, 'account')
  const deliveries = deliveryOptions(page, request.currency)
  const payments = paymentMethods(page)
  const card = cardMethodOf(page)
  const way = wantedDelivery(deliveries, request.fulfillment)
  const method = card.kind === 'open' ? card.method : payments.find(({ isSelected }) => isSelected)
  const choice = (about: ShopChoice['about'], all: readonly Named[], taken: Named | null | undefined) => ({
    about,
    name: '',
    alternatives: words(all),
    taken: taken == null ? null : wordOf(taken),
  })
  return [
    choice('account', account?.alternatives ?? (guest === null ? [] : [guest]), guest),
    choice('delivery', deliveries, way),
    choice('payment', payments, card.kind === 'none' ? null : method),
  ]
}

type Named = Pick<Alternative, 'label'>

function words(all: readonly Named[]): string[] {
  return all.slice(0, alternativesMax).map(wordOf)
}

function wordOf({ label }: Named): string {
  return cleanText(label, labelMax) ?? ''
}
