import type { ShopItem, ShopPrice } from '../../channels/browser/shopping-words.ts'
import { rankActions } from '../reading/action-of.ts'
import { matchVariant, type VariantStep } from '../reading/match-variant.ts'
import { kindOf } from '../reading/page-kind.ts'
import type { PageSnapshot } from '../reading/page-snapshot.ts'
import { productOf } from '../reading/product-of.ts'
import { kindsAlike, variantGroups } from '../reading/variant-groups.ts'
import { plainOption } from '../reading/variant-text.ts'
import { tokensOf } from '../reading/words/words.ts'
import { controlFor } from './card-fields.ts'
import { pressThrough, refuseCookies } from './clear-way.ts'
import { openKind } from './open-kind.ts'
import { helpOn, isGivenUp } from './page-help.ts'
import { plusRefs } from './page-script.ts'
import { answeredAgainst, refusedBy } from './refused-by-page.ts'
import { refused, type ShopTask, shows, unavailable } from './shop-task.ts'
import { signIn } from './sign-in.ts'
import { goodsOn } from './summary.ts'

const movesMax = 8
/** How often a button is looked for again that cannot be pressed. */
const triesMax = 3

/** Goes to the page of an item, chooses what is wanted of it, and puts it into the cart. Null: it is in there, as far as the page says. */
export async function putIntoCart(task: ShopTask, item: ShopItem): Promise<ShopPrice | null> {
  const stopped = await openProduct(task, item)
  if (stopped !== null) return stopped
  const chosen = await chooseVariant(task, item)
  if (chosen !== null) return chosen
  const page = await task.tab.read()
  const unfit = unfitOf(task, page, item)
  if (unfit !== null) return unfit
  await shows(task, 'product')
  const typed = await setQuantity(task, page, item.quantity)
  if (typed && isWrong(await task.tab.read()))
    return refused('merchant_unsupported', 'The shop does not sell this quantity.')
  const added = await addWithHelp(task, item)
  return added ?? (typed ? null : addMore(task, item, item.quantity - 1))
}

async function openProduct(task: ShopTask, item: ShopItem): Promise<ShopPrice | null> {
  const { tab } = task
  const status = await tab.open(item.url)
  await refuseCookies(task)
  const page = await tab.read()
  if (status === 404 || status === 410) return refused('product_not_found')
  const wall = wallOf(page)
  if (wall?.kind === 'sign_in') return (await signIn(task, page, wall)) ?? openProduct(task, item)
  if (wall !== null) return wall
  if (status >= 500) return unavailable(`the page of the product answered ${status}`)
  task.pages.set(item.id, page)
  const product = productOf(page)
  task.titles.set(item.id, titlesOf(page, product.title))
  return null
}

/** Where nothing marks the title of the product, each short line of its page may be it. */
function titlesOf(page: PageSnapshot, title: string | null): string[] {
  const isMarked = page.headings.length > 0 || title !== page.title
  if (title !== null && isMarked) return [title]
  const site = tokensOf(page.title).join(' ')
  return page.text
    .split('\n')
    .filter((line) => line.length <= 120 && /\p{L}{2}/u.test(line) && tokensOf(line).join(' ') !== site)
}

/** What bars the way on any page. */
export function wallOf(page: PageSnapshot): ShopPrice | null {
  switch (kindOf(page).kind) {
    case 'captcha':
      return refused('captcha_blocked')
    case 'sign_in':
      return {
        kind: 'sign_in',
        isRefused: false,
        message: null,
        host: URL.parse(page.url)?.hostname ?? null,
        session: null,
      }
    case 'not_found':
      return refused('product_not_found')
    default:
      return null
  }
}

function unfitOf(task: ShopTask, page: PageSnapshot, item: ShopItem): ShopPrice | null {
  const { price, availability, isSubscription, minimumQuantity } = productOf(page)
  if (isSubscription) return refused('merchant_unsupported', 'It is a subscription.')
  if (availability === 'out') return refused('product_out_of_stock')
  if (price !== null && price.currency !== task.request.currency) return refused('unsupported_currency')
  if (item.quantity < minimumQuantity)
    return refused('merchant_unsupported', `The minimum quantity is ${minimumQuantity}.`)
  return null
}

/** One choice at a time: each can show others, and change what the next ones mean. */
async function chooseVariant(task: ShopTask, item: ShopItem): Promise<ShopPrice | null> {
  let variant = item.variant
  for (let count = 0; count < movesMax; count++) {
    const page = await task.tab.read()
    const product = productOf(page)
    const alike = kindsAlike(page, product)
    if (alike.length > 0) {
      const stopped = await openKind(task, alike, variant)
      if (stopped !== null) return stopped
      variant = null
      retitle(task, item, await task.tab.read())
      continue
    }
    const match = matchVariant(variantGroups(page, product), product, variant)
    switch (match.kind) {
      case 'ask':
        return refused('variant_required', match.message)
      case 'none_such':
        return refused('variant_required', 'There is no such variant.')
      case 'sold_out':
        return refused('product_out_of_stock')
      case 'choose':
        break
      default:
        return match satisfies never
    }
    const step = match.steps.find(({ isSelected }) => !isSelected)
    if (step === undefined) return null
    const before = task.tab.page.url()
    if (!(await take(task, step))) continue
    if (task.tab.page.url() === before || !isLink(page, step)) continue
    // The page of one kind is another product, of which that is chosen.
    variant = withoutChosen(variant, step)
    retitle(task, item, await task.tab.read())
  }
  return refused('variant_required')
}

function isLink({ actions }: PageSnapshot, step: VariantStep): boolean {
  return actions.some(({ ref, role }) => ref === step.ref && role === 'link')
}

function withoutChosen(variant: ShopItem['variant'], { text }: VariantStep): ShopItem['variant'] {
  const chosen = ` ${plainOption(text)} `
  const selections = variant?.selections?.filter(({ value }) => !chosen.includes(` ${plainOption(value)} `))
  return variant === null ? null : { selections }
}

function retitle(task: ShopTask, { id }: ShopItem, page: PageSnapshot): void {
  task.titles.set(id, titlesOf(page, productOf(page).title))
}

async function take(task: ShopTask, { ref, optionValue }: VariantStep): Promise<boolean> {
  if (optionValue === null) return pressThrough(task, ref)
  await task.tab.select(ref, optionValue)
  await task.tab.settled()
  return true
}

function isWrong(page: PageSnapshot): boolean {
  return controlFor(page, 'quantity')?.isInvalid === true
}

async function setQuantity(task: ShopTask, page: PageSnapshot, quantity: number): Promise<boolean> {
  const field = controlFor(page, 'quantity')
  if (field === null) return quantity === 1
  if (field.kind === 'select') {
    const option = field.options.find(
      ({ value, text }) => Number(value) === quantity || Number(text) === quantity,
    )
    if (option === undefined) return quantity === 1
    await task.tab.select(field.ref, option.value)
  } else await task.tab.type(field.ref, String(quantity))
  return true
}

/** Where the page has no field for the quantity, one is added after the other: beside the goods in the cart, or at their page. */
async function addMore(task: ShopTask, item: ShopItem, times: number): Promise<ShopPrice | null> {
  for (let count = 0; count < times; count++) {
    const [plus, another] = await plusRefs(task.tab.page.mainFrame())
    // Two of them stand beside different goods.
    if (plus !== undefined && another === undefined) {
      if (!(await pressThrough(task, plus)))
        return refused('merchant_unsupported', 'No more than one could be put into the cart.')
      continue
    }
    const stopped =
      (await openProduct(task, item)) ?? (await chooseVariant(task, item)) ?? (await addWithHelp(task, item))
    if (stopped !== null) return stopped
  }
  return null
}

/** Where the rules find nothing that adds it, somebody else may. What came of it the cart says, and the summary. */
async function addWithHelp(task: ShopTask, item: ShopItem): Promise<ShopPrice | null> {
  const { tab } = task
  const before = tab.page.url()
  const goodsBefore = goodsOn(task, await tab.read()).kind
  let stopped = await add(task, item)
  while (isGivenUp(stopped) && (await helpOn(task, 'put_into_cart'))) {
    if (tab.page.url() !== before) return null
    const page = await tab.read()
    if (goodsBefore !== 'wanted' && goodsOn(task, page).kind === 'wanted') return null
    if (rankActions(page, 'add_to_cart').length > 0) stopped = await add(task, item)
  }
  return stopped
}

/** A button that is gone by the time it is pressed has another in its place. */
async function add(task: ShopTask, item: ShopItem, tries = 1): Promise<ShopPrice | null> {
  const { tab } = task
  const { quantity } = item
  const page = await tab.read()
  const [button] = rankActions(page, 'add_to_cart')
  if (button === undefined) return refusedBy(task, page, quantity)
  if (!(await pressThrough(task, button.ref)))
    return tries < triesMax
      ? add(task, item, tries + 1)
      : refused('merchant_unsupported', 'The button that adds to the cart cannot be pressed.')
  const after = await tab.read()
  // What the cart says is judged there; what the page said before is about the goods.
  return rankActions(after, 'add_to_cart').length > 0
    ? answeredAgainst(task, { before: page, after, quantity })
    : null
}
