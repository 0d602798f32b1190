import type {
  EvidenceStage,
  GivenAnswer,
  ShopPrice,
  ShopRequest,
} from '../../channels/browser/shopping-words.ts'
import type { ShownLine } from '../reading/lines-of.ts'
import type { PageSnapshot } from '../reading/page-snapshot.ts'
import type { Totals } from '../reading/totals-of.ts'
import type { Entry } from './buyer-fields.ts'
import { type Help, helpOf } from './help.ts'
import { openTab, type Tab } from './tab.ts'
import type { AskBuyer, PriceMeans, SignIn, Visit } from './visit.ts'

/** The goods as a page shows them. */
export type Goods = {
  /** `hidden`: the page shows no goods at all. `other`: what it shows is not what is wanted. */
  readonly kind: 'wanted' | 'other' | 'hidden'
  /** One for each item. */
  readonly lines: readonly ShownLine[]
}

/** What a page says that all of it costs. */
export type Summary = {
  readonly total: bigint
  /** Null where the page does not say. */
  readonly currency: string | null
  readonly text: string
  /** What the total is made of; null where it does not add up, or is all that is shown. */
  readonly parts: Totals | null
}

type LastSummary = {
  readonly summary: Summary
  /** The way of delivery had been chosen by then. */
  readonly isWithDelivery: boolean
  /** It has a price of the delivery in it, be it nothing. */
  readonly saysDelivery: boolean
}

/** What was put into one field. */
export type Typed = { readonly entry: Entry; readonly text: string; readonly tries: number }

/** One purchase at one shop, from the first page to the last. */
export type ShopTask = {
  readonly tab: Tab
  readonly request: ShopRequest
  /** What a person has given for a sign-in; null: nothing. */
  readonly signIn: SignIn | null
  /** Who is asked what the shop requires and the buyer's data lack; null: nobody is. */
  readonly ask: AskBuyer | null
  /** It is gone before anybody buys: nothing is typed, nothing is agreed to, and no picture is taken. */
  readonly isNobodys: boolean
  /** What was answered so far. */
  answers: readonly GivenAnswer[]
  /** The names of fields that the shop insists on, though nothing marks them. */
  readonly insisted: Set<string>
  /** What the shop said of the promotion code; null until it is tried. */
  promo: { isTaken: boolean; message: string | null } | null
  /** The field for the code was asked for. */
  hasOpenedPromo: boolean
  /** The pages of the items as they were before anything was chosen there, by the id of the item. */
  readonly pages: Map<string, PageSnapshot>
  /** What the goods may be called, as their pages write it, by the id of the item. */
  readonly titles: Map<string, readonly string[]>
  /** The goods as the cart or a summary has shown them last; null until one has. */
  goods: Goods | null
  /** What the way of delivery costs that was chosen last; null: none was, or its price is not shown. */
  delivery: bigint | null
  /** The last summary beside goods; null: there was none. */
  lastSummary: LastSummary | null
  /** Where a link to the cart leads; null: none was seen. */
  cartUrl: string | null
  /** The cart was opened for what all of it costs. */
  hasLookedAtCart: boolean
  /** The card is asked for on a page without a total: it stands on the one after it. */
  isTotalLater: boolean
  /** The summary before the payment shows the goods as well. */
  isShownAtPayment: boolean
  /** The shop has been told who buys. */
  isIntroduced: boolean
  /** What was typed or chosen for the buyer, by document and field. */
  readonly typed: Map<string, Typed>
  /** What a reader of pages alone has named, and the shop has shown as it was meant. */
  readonly confirmed: Set<string>
  /** Boxes that were pressed to have one address asked for, or two, by document and field. */
  readonly pressed: Set<string>
  /** Who may be asked where the rules are stuck; null: nobody. */
  help: Help | null
  /** The page stands at the summary that the offer was read from. */
  isPriced: boolean
  /** How many pages there had been when the order was submitted. */
  navigations: number
}

export async function openShopTask(
  visit: Visit,
  request: ShopRequest,
  { reader = null, signIn = null, ask = null, isNobodys = false }: PriceMeans & { isNobodys?: boolean } = {},
): Promise<ShopTask> {
  return {
    tab: await openTab(visit),
    request,
    signIn,
    ask,
    isNobodys,
    answers: request.answers ?? [],
    insisted: new Set(),
    pages: new Map(),
    titles: new Map(),
    ...stateAtFirst(request),
    typed: new Map(),
    confirmed: new Set(),
    pressed: new Set(),
    help: reader === null ? null : helpOf(reader),
    isPriced: false,
    navigations: 0,
  }
}

/** What is known of a checkout that nobody has been to. */
export function stateAtFirst({ startAt }: ShopRequest) {
  return {
    promo: null,
    hasOpenedPromo: false,
    goods: null,
    delivery: null,
    lastSummary: null,
    cartUrl: null,
    hasLookedAtCart: false,
    isTotalLater: false,
    isShownAtPayment: false,
    // A checkout that was begun elsewhere knows its buyer.
    isIntroduced: startAt !== null,
  }
}

export async function shows(
  { tab, isNobodys }: ShopTask,
  stage: EvidenceStage,
  totalText: string | null = null,
): Promise<void> {
  if (!isNobodys) await tab.visit.evidence(stage, totalText)
}

export function refused(
  code: Extract<ShopPrice, { kind: 'refused' }>['code'],
  message: string | null = null,
): ShopPrice {
  return { kind: 'refused', code, message }
}

export function unavailable(why: string): ShopPrice {
  return { kind: 'unavailable', why }
}
