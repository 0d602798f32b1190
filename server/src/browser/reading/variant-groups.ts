import { intentOf } from './action-of.ts'
import { type Alternative, type Choice, choicesOf } from './choices-of.ts'
import { assignFields } from './field-of.ts'
import { splitName } from './field-signals.ts'
import { cleanText } from './json-ld.ts'
import type { Action, Control, PageSnapshot } from './page-snapshot.ts'
import type { Product } from './product.ts'
import { plainOption } from './variant-text.ts'
import { findWords, tokensOf } from './words/words.ts'

export type VariantOption = {
  readonly text: string
  readonly ref: number
  /** Of a select; null where the element itself is pressed or checked. */
  readonly optionValue: string | null
  /** It cannot be chosen, or is said to be sold out. */
  readonly isDisabled: boolean
  readonly isSelected: boolean
}

export type VariantGroup = {
  readonly name: string
  readonly options: readonly VariantOption[]
  /** The address of the page has chosen, not the shop. */
  readonly isPreset: boolean
}

/** The choices that a page asks for before the product can be bought: selects, radios, and buttons that stand together. */
export function variantGroups(snapshot: PageSnapshot, product: Product): VariantGroup[] {
  const isPreset = choosesByAddress(snapshot.url)
  const fields = assignFields(snapshot)
  const free = choicesOf(snapshot).filter(
    ({ controls, isInDialog }) => !isInDialog && !controls.some(({ ref }) => fields.has(ref)),
  )
  const groups = [
    ...free.filter(({ how }) => how === 'select').flatMap((choice) => ofSelect(choice, snapshot.language)),
    ...free.filter(({ how }) => how === 'radio').map((choice) => ofRadios(choice, snapshot.language)),
    ...ofButtons(snapshot, product),
    ...ofLinks(snapshot, product),
  ]
  return groups
    .filter(({ options }) => options.length > 0)
    .map((group) => ({ ...group, isPreset: isPreset && group.options.some(({ isSelected }) => isSelected) }))
}

type Found = Omit<VariantGroup, 'isPreset'>

function choosesByAddress(url: string): boolean {
  if (!URL.canParse(url)) return false
  return [...new URL(url).searchParams.keys()].some((key) =>
    /variant|variation|sku|option|attribute|colou?r|size|farbe|gr(?:oe|ö)(?:ss|ß)e|taille|talla|taglia/iu.test(
      key,
    ),
  )
}

/** Selects that order a list or choose a language are of the page, not of the product. */
const ofPage =
  /(?:^| )(?:sort|orderby|order by|currency|wahrung|devise|moneda|valuta|moeda|waluta|language|sprache|langue|idioma|lingua|taal|locale|per page|limit|filter|sortieren|trier|ordenar|ordina|sortuj|rating|bewertung|通 貨|言 語|並 べ)(?: |$)/u

function ofSelect({ controls: [control], alternatives }: Choice, language: string): Found[] {
  if (control === undefined) return []
  const name = nameOf(control)
  const plainName = tokensOf(`${name} ${splitName(control.name)} ${splitName(control.id)}`).join(' ')
  if (ofPage.test(plainName)) return []
  return [
    { name, options: alternatives.filter(({ label }) => !isPlaceholder(label)).map(optionIn(language)) },
  ]
}

function optionIn(language: string) {
  return ({ ref, value, label, isChosen, isDisabled }: Alternative): VariantOption => ({
    text: cleanText(label, 120) ?? value ?? '',
    ref,
    optionValue: value,
    isDisabled: isDisabled || isSoldOut(label, language),
    isSelected: isChosen,
  })
}

function isPlaceholder(text: string): boolean {
  return /^\s*$|^[-–—\s]+|…$|\.\.\.$|^(?:please |bitte )?(?:select|choose|pick|wählen|auswählen|choisir|choisissez|elige|elegir|selecciona|seleziona|scegli|kies|maak een keuze|selecione|escolha|wybierz|välj|選択)(?![\p{L}])/iu.test(
    text.trim(),
  )
}

function nameOf(control: Control): string {
  const text = [control.label, control.group, control.near, control.placeholder].find(
    (one) => one.trim() !== '',
  )
  return cleanText(text ?? splitName(control.name), 80)?.replace(/\s*[:*]+\s*$/u, '') ?? ''
}

function ofRadios({ controls: [radio], alternatives }: Choice, language: string): Found {
  const name = radio === undefined ? '' : radio.group || splitName(radio.name)
  return {
    name: cleanText(name, 80)?.replace(/\s*[:*]+\s*$/u, '') ?? '',
    options: alternatives.map(optionIn(language)),
  }
}

function isSoldOut(text: string, language: string): boolean {
  return findWords('states', text.slice(0, 200), language).some(({ key }) => key === 'sold_out')
}

/**
 * Buttons that choose: those that are called as the values of a variant, and else short ones that stand together before the button that
 * adds to the cart.
 */
function ofButtons(snapshot: PageSnapshot, product: Product): Found[] {
  // A button with the role of a radio is a control as well, and read as one.
  const controls = new Set(snapshot.controls.map(({ ref }) => ref))
  const buttons = snapshot.actions.filter(
    (action) => !controls.has(action.ref) && mayChoose(action, snapshot.language),
  )
  const named = namesOf(product).flatMap(({ name, values }) => {
    const options = values.flatMap((value) => {
      const button = buttons.find((one) => plainOption(valueIn(one.name)) === plainOption(value))
      return button === undefined ? [] : [ofButton(button, snapshot.language)]
    })
    return options.length > 0 && options.length >= values.length / 2 ? [{ name, options }] : []
  })
  return named.length > 0 ? named : runsOf(snapshot, buttons)
}

function namesOf(product: Product): { name: string; values: string[] }[] {
  const names = new Map<string, Set<string>>()
  for (const { name, value } of product.variants.flatMap(({ options }) => options))
    names.set(name, (names.get(name) ?? new Set()).add(value))
  return [...names].map(([name, values]) => ({ name, values: [...values] }))
}

function mayChoose(
  { name, isInNavigation, isInDialog, role, isSubmit, ...action }: Action,
  language: string,
): boolean {
  if (isInNavigation || isInDialog || role === 'link' || name.length > 40 || tokensOf(name).length === 0)
    return false
  return (
    !isSubmit && intentOf({ name, isInNavigation, isInDialog, role, isSubmit, ...action }, language) === null
  )
}

/** `Size: 42` is 42. */
function valueIn(name: string): string {
  return name.replace(/^[^:]{1,20}:\s*/u, '')
}

function ofButton(button: Action, language: string): VariantOption {
  return {
    text: cleanText(valueIn(button.name), 120) ?? '',
    ref: button.ref,
    optionValue: null,
    isDisabled: button.isDisabled || isSoldOut(button.name, language),
    isSelected: button.isPressed,
  }
}

/**
 * A product that is sold by its kinds has a link to each: beside one another, to pages below its own or of its name. Where such a page can
 * itself be bought, it is what is chosen. Links that are all called alike choose nothing.
 */
function ofLinks(snapshot: PageSnapshot, product: Product): Found[] {
  const kinds = linksToKinds(snapshot, product)
  return kinds.length > 1 && !areAlike(kinds)
    ? [{ name: '', options: kinds.map((link) => ofButton(link, snapshot.language)) }]
    : []
}

/** The pages of the kinds of a product whose links do not tell them apart: `T-shirt`, `T-shirt`, `T-shirt`. */
export function kindsAlike(snapshot: PageSnapshot, product: Product): string[] {
  const kinds = linksToKinds(snapshot, product)
  const pages = new Set(kinds.map(({ href }) => href).filter((href) => isOfShop(href, snapshot)))
  return pages.size > 1 && areAlike(kinds) ? [...pages] : []
}

function areAlike(links: readonly Action[]): boolean {
  return new Set(links.map(({ name }) => plainOption(name))).size === 1
}

function isOfShop(href: string, { url }: PageSnapshot): boolean {
  return URL.parse(href)?.origin === URL.parse(url)?.origin
}

function linksToKinds(snapshot: PageSnapshot, product: Product): Action[] {
  const sells = snapshot.actions.some(
    (action) => intentOf(action, snapshot.language) === 'add_to_cart' && !action.isInNavigation,
  )
  const own = pathOf(snapshot.url)
  const trimmed = own.replace(/\/+$/u, '')
  const base = trimmed.replace(/[-_/]?\d*$/u, '')
  if (sells || base.length < 2) return []
  const title = tokensOf(product.title ?? '').join(' ')
  return snapshot.actions.filter(({ name, href, role, isInNavigation, isInDialog }) => {
    if (role !== 'link' || isInNavigation || isInDialog || name === '' || name.length > 60) return false
    const path = pathOf(href)
    const isBelow = ['-', '_', '/'].some((mark) => path.startsWith(`${base}${mark}`))
    const isNamed = title !== '' && `${tokensOf(name).join(' ')} `.startsWith(`${title} `)
    // Below a page with a number of its own stand its reviews and pictures.
    const isOwn = path === own || (base !== trimmed && path.startsWith(`${trimmed}/`))
    return !isOwn && (isBelow || isNamed)
  })
}

function pathOf(address: string): string {
  return URL.canParse(address) ? new URL(address).pathname : ''
}

/** Neighbors with nothing between them, of about the same size. The last ones before the button that adds are the choice. */
function runsOf(snapshot: PageSnapshot, buttons: readonly Action[]): Found[] {
  const adds = snapshot.actions.findIndex((action) => {
    const intent = intentOf(action, snapshot.language)
    return intent === 'add_to_cart' || intent === 'buy_now'
  })
  if (adds < 0) return []
  const form = snapshot.actions[adds]?.form ?? null
  const allowed = new Set(buttons)
  const runs: Action[][] = []
  let run: Action[] = []
  for (const action of snapshot.actions.slice(Math.max(0, adds - 60), adds)) {
    const last = run.at(-1)
    const isNext = allowed.has(action) && (last === undefined || isAlike(last, action))
    if (isNext) run.push(action)
    else {
      if (run.length > 0) runs.push(run)
      run = allowed.has(action) ? [action] : []
    }
  }
  if (run.length > 0) runs.push(run)
  return runs
    .filter(
      (one) =>
        one.length > 1 &&
        (one.some(({ isPressed }) => isPressed) || one === runs.at(-1) || isNamedList(one, form)),
    )
    .map((one) => ({
      name: nameInFront(one),
      options: one.map((button) => ofButton(button, snapshot.language)),
    }))
}

function isAlike(a: Action, b: Action): boolean {
  const [small, large] = [Math.min(a.area, b.area), Math.max(a.area, b.area)]
  return a.form === b.form && a.list === b.list && small * 4 >= large
}

/** A list with a name above it, in the form that adds to the cart: `Color`, and below it its values. */
function isNamedList([first]: readonly Action[], form: number | null): boolean {
  return first !== undefined && form !== null && first.form === form && first.listName !== ''
}

function nameInFront(run: readonly Action[]): string {
  const names = new Set(run.map(({ name }) => /^([^:]{1,20}):/u.exec(name)?.[1] ?? ''))
  const [only = ''] = names
  if (names.size === 1 && only !== '') return only
  return cleanText(run[0]?.listName ?? '', 40)?.replace(/\s*[:*]+\s*$/u, '') ?? ''
}
