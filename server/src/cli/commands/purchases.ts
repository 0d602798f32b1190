import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Profile } from '../../domain/buyers/profiles/profile.ts'
import type { ApprovalLink } from '../../domain/buying/approval-links/approval-link.ts'
import type { AuditRow } from '../../domain/buying/intents/decide/audit-row.ts'
import type { PurchaseIntent } from '../../domain/buying/intents/intent.ts'
import { intentStatuses } from '../../domain/buying/intents/machine.ts'
import type { Order } from '../../domain/trade/orders/order.ts'
import { CommandFailure } from '../failure.ts'
import { answerInput } from '../purchases/answer-input.ts'
import { linkLines } from '../purchases/approval-link.ts'
import { approve as approveSeen, type Proof } from '../purchases/approve.ts'
import { asksYes, isTalking } from '../purchases/ask.ts'
import { completeId, kinds } from '../purchases/complete-id.ts'
import { defineEvidence } from '../purchases/evidence.ts'
import { methodOf } from '../purchases/people.ts'
import {
  type ApiOptions,
  asksService,
  type ProductApi,
  productApi,
  Refusal,
} from '../purchases/product-api.ts'
import { askedFields, isAddressAsked, nextStep } from '../purchases/say-next.ts'
import { cartLines, eventLine, resultHint } from '../purchases/say-purchase.ts'
import { answerLines, risen, termsLines, variantWords } from '../purchases/say-terms.ts'
import {
  hasEnded,
  jsonPrinter,
  type PurchaseEvent,
  Timeline,
  terminalPrinter,
} from '../purchases/timeline.ts'
import { writeResult } from '../purchases/write-result.ts'
import { money, out, outJson, styled, table } from '../terminal.ts'
import { wholeNumber } from '../whole-number.ts'
import { provesCard } from './buy.ts'

export function definePurchases(purchases: Command): void {
  const of = (name: string, description: string) =>
    asksService(purchases.command(name))
      .description(description)
      .argument('<purchase>', 'its id, or a beginning or end that no other has')
  asksService(purchases.command('list'))
    .description('List the purchases, newest first.')
    .addOption(new Option('--status <status>', 'only those with this status').choices(intentStatuses))
    .option('--profile <id>', 'only those for this profile')
    .option('--find <text>', 'only those with this text in an id, a name, a shop or a reference')
    .option('--limit <n>', 'how many at most', wholeNumber(1, 200), 20)
    .action(list)
  of(
    'show',
    'Show what was bought, what it cost, what came back, what happened, and what waits for whom.',
  ).action(show)
  of('follow', 'Show each event until the purchase has ended, or a person is needed.').action(follow)
  provesCard(of('approve', 'Show what would be bought, ask, and approve it.'))
    .option('--card <id>', 'what to pay with (default: what the purchase names)')
    .option('--yes', 'approve it without a question')
    .option('--link', 'instead, make a link to a page on which a person approves it; always in live mode')
    .action(approve)
  of('answer', 'Tell a purchase what it waits to know, such as the day of a booking.')
    .argument('[values...]', 'as NAME=VALUE; what is not given is asked for')
    .option('--keep', 'the profile keeps it, and tells it again at the next purchase at this shop')
    .action(answer)
  of('decline', 'Decline a purchase that waits for an approval: nothing more is bought.').action(decline)
  of('cancel', 'Cancel a purchase, as long as it is not bought, and release what was held for it.')
    .option('--reason <text>', 'why')
    .action(cancel)
  of('retry', 'Show what would be tried again, ask, and try it again.')
    .option('--card <id>', 'what to pay with (default: as before)')
    .option('--yes', 'try it again without a question')
    .action(retry)
  of('reconcile', 'Report whether a shop took an order, where nobody knows it.')
    .argument('<cart>', 'the id of the cart')
    .argument('<outcome>', 'placed or not_placed', outcomeOf)
    .option('--order <reference>', "the shop's own reference of the order")
    .action(reconcile)
  of('result', 'Show what a shop answered to a paid request, or write it to a file.')
    .argument('[cart]', 'the id of the cart, where several shops have answered')
    .option('--output <file>', 'write the bytes to this file, as they are')
    .action(result)
  defineEvidence(purchases)
}

function outcomeOf(text: string): string {
  if (text === 'placed' || text === 'not_placed') return text
  throw new InvalidArgumentError('It must be placed or not_placed.')
}

/** The statuses in words for people, as far as the words of the interface say less. */
const waiting: Readonly<Record<string, string>> = {
  awaiting_approval: 'waits for approval',
  awaiting_merchant_auth: 'waits for a sign-in',
  merchant_auth_failed: 'waits for a sign-in',
  approved: 'under way',
  queued: 'under way',
}

type Listed = ApiOptions & { status?: string; profile?: string; find?: string; limit: number }

async function list({ status, profile, find, limit, ...options }: Listed): Promise<void> {
  const api = productApi(options)
  const query = new URLSearchParams({ limit: String(limit) })
  if (status !== undefined) query.set('status', status)
  if (profile !== undefined) query.set('profile_id', profile)
  if (find !== undefined) query.set('q', find)
  const page: { data: AuditRow[]; total: number } = await api.get(`/v1/purchase_intents?${query}`)
  if (options.json) return outJson(page)
  if (page.data.length === 0) return out(`There is no such purchase in ${api.mode} mode.`)
  const cells = page.data.map((one) => [
    one.purchase_intent_id,
    waiting[one.status] ?? one.status,
    one.actual_amount > 0
      ? `${money(one.actual_amount, one.currency_code)} charged`
      : `at most ${money(one.max_allowed_amount, one.currency_code)}`,
    one.merchants.join(', '),
    one.profile_name,
    one.created_at.slice(0, 16).replace('T', ' '),
  ])
  for (const line of table(['ID', 'STATUS', 'AMOUNT', 'FROM', 'FOR', 'CREATED (UTC)'], cells)) out(line)
  if (page.total > page.data.length) out(`… and ${page.total - page.data.length} more; --limit shows more.`)
}

const pathOf = async (api: ProductApi, given: string) =>
  `/v1/purchase_intents/${await completeId(api, kinds.purchase, given)}`

async function show(given: string, options: ApiOptions): Promise<void> {
  const api = productApi(options)
  const path = await pathOf(api, given)
  const [purchase, events]: [PurchaseIntent, PurchaseEvent[]] = await Promise.all([
    api.get(path),
    eventsOf(api, path),
  ])
  const orders: Order[] = await Promise.all(
    purchase.carts.flatMap(({ order }) => (order === null ? [] : [api.get(`/v1/orders/${order}`)])),
  )
  if (options.json) return outJson({ purchase_intent: purchase, events, orders })
  out(`${styled('bold', purchase.summary ?? purchase.status)}`)
  out(styled('dim', `${purchase.id}, ${purchase.status}, ${api.mode} mode, made ${purchase.created_at}`))
  for (const line of await termsOf(api, purchase)) out(line)
  for (const cart of purchase.carts) {
    out('')
    for (const line of cartLines(cart, orders.find(({ id }) => id === cart.order) ?? null)) out(line)
  }
  out('')
  for (const event of events) out(eventLine(event, event.created_at))
  for (const line of remarks(api, purchase)) out(line)
}

const eventsPageMax = 200

async function eventsOf(api: ProductApi, path: string): Promise<PurchaseEvent[]> {
  const events: PurchaseEvent[] = []
  for (let more = true; more; ) {
    const after = events.at(-1)?.sequence ?? 0
    const page: { data: PurchaseEvent[]; has_more: boolean } = await api.get(
      `${path}/events?after=${after}&limit=${eventsPageMax}`,
    )
    events.push(...page.data)
    more = page.has_more && page.data.length > 0
  }
  return events
}

/** What it waits for, which command answers it, and where what was bought can be read. */
function remarks(api: ProductApi, purchase: PurchaseIntent): string[] {
  const next = nextStep(api, purchase)
  return [...(next === null ? [] : [styled('yellow', next)]), ...resultHint(api, purchase)]
}

async function termsOf(api: ProductApi, purchase: PurchaseIntent, card?: string): Promise<string[]> {
  const { profile_id, currency_code, next_action, preferences, items, carts } = purchase
  const paying = card ?? purchase.profile_payment_method_id
  const [profile, method] = await Promise.all([
    api.get(`/v1/profiles/${profile_id}`) as Promise<Profile>, // as the interface has it
    paying === null ? null : methodOf(api, profile_id, paying),
  ])
  const bought = new Map(carts.flatMap((cart) => cart.items.map((item) => [item.id, item])))
  const { method: delivery, address_id } = preferences.fulfillment
  const terms = termsLines({
    items: items.map(({ id, url, quantity, expected_amount, variant }) => {
      const { unit_amount = null, title = null } = bought.get(id) ?? {}
      return {
        url,
        quantity,
        // What was expected is of no interest once the shop has said it.
        expected_amount: unit_amount === null ? expected_amount : null,
        unit_amount,
        title,
        variant: variantWords(variant),
      }
    }),
    currency_code,
    max_allowed_amount: next_action?.proposal?.max_allowed_amount ?? purchase.max_allowed_amount,
    shipping: { isShipped: delivery === 'ship', address_id },
    profile,
    method,
  })
  return [...terms, ...answerLines(purchase)]
}

async function follow(given: string, options: ApiOptions): Promise<void> {
  const api = productApi(options)
  const purchase: PurchaseIntent = await api.get(await pathOf(api, given))
  const printer = options.json ? jsonPrinter() : terminalPrinter()
  const seen = await new Timeline(api, printer, false).follow(purchase)
  printer.ended(seen)
  if (!options.json) for (const line of remarks(api, seen)) out(line)
  if (hasEnded(seen) && seen.status !== 'succeeded') process.exitCode = 1
}

type Approving = ApiOptions & Proof & { card?: string; yes?: boolean; link?: boolean }

async function approve(given: string, options: Approving): Promise<void> {
  const api = productApi(options)
  // Where it is real money, the person proves that the card is theirs, and no terminal takes codes of cards.
  if (options.link === true || api.mode === 'live') return askByLink(api, given, options)
  assertAnswer(options)
  const purchase: PurchaseIntent = await api.get(await pathOf(api, given))
  if (purchase.status !== 'awaiting_approval') throw new CommandFailure(notNow(api, purchase, 'approved'))
  const cap = purchase.next_action?.proposal?.max_allowed_amount ?? purchase.max_allowed_amount
  if (!options.json) {
    for (const line of await termsOf(api, purchase, options.card)) out(line)
    if (purchase.next_action?.proposal) out(risen(purchase))
  }
  const question = `Approve it, for at most ${money(cap, purchase.currency_code)}?`
  if (!options.yes && !(await asksYes(question))) {
    out(`It was not approved, and still waits. ${nextStep(api, purchase) ?? ''}`.trimEnd())
    process.exitCode = 1
    return
  }
  const { id } = purchase
  const { card } = options
  const done = await answering(api, purchase, 'approved', () =>
    approveSeen(api, {
      id,
      cap,
      proof: options,
      json: options.json ?? false,
      ...(card === undefined ? {} : { card }),
    }),
  )
  said(api, done, options)
}

async function askByLink(api: ProductApi, given: string, { json }: ApiOptions): Promise<void> {
  const purchase: PurchaseIntent = await api.get(await pathOf(api, given))
  if (purchase.status !== 'awaiting_approval') throw new CommandFailure(notNow(api, purchase, 'approved'))
  const link: ApprovalLink = await api.post(`/v1/purchase_intents/${purchase.id}/approval_links`, {})
  if (json) return outJson(link)
  for (const line of await termsOf(api, purchase)) out(line)
  out('')
  for (const line of linkLines(link)) out(line)
}

function assertAnswer(options: ApiOptions & { yes?: boolean }): void {
  if (!options.yes && !isTalking(options))
    throw new CommandFailure('A person must agree to this, and nobody can be asked here. Add --yes to agree.')
}

async function answer(
  given: string,
  pairs: readonly string[],
  { keep, ...options }: ApiOptions & { keep?: boolean },
): Promise<void> {
  const values = valuesOf(pairs)
  const api = productApi(options)
  const purchase: PurchaseIntent = await api.get(await pathOf(api, given))
  const fields = askedFields(purchase.next_action)
  if (fields.length === 0) throw new CommandFailure(notNow(api, purchase, 'told anything'))
  const missing = fields.filter(({ name }) => !values.has(name))
  const mayAsk = isTalking(options)
  if (isAddressAsked(purchase.next_action)) throw new CommandFailure(`${nextStep(api, purchase)}`)
  if (missing.length > 0 && !mayAsk)
    throw new CommandFailure(
      `It waits to be told ${missing.map(({ name, label }) => `${label} (${name}=…)`).join(', ')}, and nobody can be asked here.`,
    )
  said(api, await answerInput(api, purchase, { given: values, mayAsk, keep }), options)
}

function valuesOf(pairs: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) throw new CommandFailure(`Write ${pair} as NAME=VALUE.`)
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}

async function decline(given: string, options: ApiOptions): Promise<void> {
  const api = productApi(options)
  const path = await pathOf(api, given)
  const purchase: PurchaseIntent = await api.get(path)
  const answer = () => api.post(`${path}/approve`, { approve: false })
  said(api, await answering(api, purchase, 'declined', answer), options)
}

async function cancel(
  given: string,
  { reason, ...options }: ApiOptions & { reason?: string },
): Promise<void> {
  const api = productApi(options)
  const path = await pathOf(api, given)
  const purchase: PurchaseIntent = await api.get(path)
  const answer = () => api.post(`${path}/cancel`, reason === undefined ? {} : { reason })
  said(api, await answering(api, purchase, 'cancelled', answer), options)
}

async function retry(given: string, options: ApiOptions & { card?: string; yes?: boolean }): Promise<void> {
  assertAnswer(options)
  const api = productApi(options)
  const path = await pathOf(api, given)
  const purchase: PurchaseIntent = await api.get(path)
  if (!purchase.carts.some(({ can_retry }) => can_retry))
    throw new CommandFailure(notNow(api, purchase, 'retried'))
  const { max_allowed_amount, currency_code } = purchase
  if (!options.json) for (const line of await termsOf(api, purchase, options.card)) out(line)
  if (
    !options.yes &&
    !(await asksYes(`Try it again, for at most ${money(max_allowed_amount, currency_code)}?`))
  ) {
    out('Nothing was tried again.')
    process.exitCode = 1
    return
  }
  const body = options.card === undefined ? {} : { profile_payment_method_id: options.card }
  said(api, await answering(api, purchase, 'retried', () => api.post(`${path}/retry`, body)), options)
}

async function reconcile(
  given: string,
  cart: string,
  outcome: string,
  { order, ...options }: ApiOptions & { order?: string },
): Promise<void> {
  const api = productApi(options)
  const body = { cart_id: cart, outcome, ...(order === undefined ? {} : { order_id: order }) }
  said(api, await api.post(`${await pathOf(api, given)}/reconcile`, body), options)
}

type Done = 'approved' | 'declined' | 'cancelled' | 'retried' | 'told anything'

/** A refusal by what the purchase is at: what it says to programs is said in commands to people. */
const refusedByState: readonly (string | null)[] = ['not_approvable', 'not_cancellable', 'not_retryable']

async function answering(
  api: ProductApi,
  { id }: PurchaseIntent,
  done: Done,
  work: () => Promise<PurchaseIntent>,
): Promise<PurchaseIntent> {
  return work().catch(async (error: unknown) => {
    if (!(error instanceof Refusal) || !refusedByState.includes(error.code)) throw error
    throw new CommandFailure(notNow(api, await api.get(`/v1/purchase_intents/${id}`), done))
  })
}

function notNow(api: ProductApi, purchase: PurchaseIntent, done: Done): string {
  const { id, status, summary } = purchase
  return `${id} cannot be ${done}, because it is ${waiting[status] === undefined ? status : `at ${status}`}: ${summary} ${nextStep(api, purchase) ?? ''}`.trimEnd()
}

function said(api: ProductApi, purchase: PurchaseIntent, { json }: ApiOptions): void {
  if (json) {
    outJson(purchase)
    return
  }
  out(`${purchase.summary}`)
  for (const line of remarks(api, purchase)) out(line)
}

async function result(
  given: string,
  named: string | undefined,
  { output, json = false, ...options }: ApiOptions & { output?: string },
): Promise<void> {
  const api = productApi({ ...options, json })
  const wanted = {
    json,
    ...(named === undefined ? {} : { named }),
    ...(output === undefined ? {} : { output }),
  }
  await writeResult(api, await pathOf(api, given), wanted)
}
