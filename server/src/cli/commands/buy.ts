import type { Command } from 'commander'
import type { PaymentMethod } from '../../domain/buyers/payment-methods/payment-method.ts'
import type { Profile } from '../../domain/buyers/profiles/profile.ts'
import type { PurchaseIntent } from '../../domain/buying/intents/intent.ts'
import { CommandFailure } from '../failure.ts'
import { answerInput, waitsToBeTold } from '../purchases/answer-input.ts'
import { approve, type Proof } from '../purchases/approve.ts'
import { asksYes, isTalking } from '../purchases/ask.ts'
import { type Interruption, interruption } from '../purchases/interruption.ts'
import { type Ahead, lookAhead } from '../purchases/look-ahead.ts'
import { methodOf } from '../purchases/people.ts'
import {
  type ApiOptions,
  asksService,
  type ProductApi,
  productApi,
  Refusal,
} from '../purchases/product-api.ts'
import { resultHint } from '../purchases/say-purchase.ts'
import { risen, termsLines, variantWords } from '../purchases/say-terms.ts'
import { settleOpen } from '../purchases/settle-open.ts'
import { hasEnded, jsonPrinter, Timeline, terminalPrinter } from '../purchases/timeline.ts'
import { simulation, whyNot } from '../purchases/why-not.ts'
import { money, out, styled } from '../terminal.ts'
import { wholeNumber } from '../whole-number.ts'
import { type AskedAmount, addSelection, readAmount, readProductUrl, type Selection } from './buy-options.ts'
import { profileOrDemo } from './demo-person.ts'

type Options = ApiOptions &
  Proof & {
    quantity: number
    max?: AskedAmount
    price?: AskedAmount
    profile?: string
    card?: string
    variant: readonly Selection[]
    watch?: boolean
    yes?: boolean
  }

export function defineBuy(command: Command): void {
  command
    .argument('<url>', 'the product page', readProductUrl)
    .option('--quantity <n>', 'how many units', wholeNumber(1, 10_000), 1)
    .option(
      '--max <amount>',
      'the most that it may cost in all, such as 12.50 or "12.50 EUR" (default currency: USD)',
      readAmount,
    )
    .option(
      '--price <amount>',
      'what one unit should cost, without delivery and tax (default: anything within --max)',
      readAmount,
    )
    .option('--profile <id>', 'for whom to buy (default: the only profile; in test mode one is made)')
    .option('--card <id>', 'what to pay with (default: the default card of the profile)')
    .option(
      '--variant <name=value>',
      'what to choose where there are variants, such as Size=M; may be repeated',
      addSelection,
      [],
    )
    .option('--watch', 'also show each picture that is taken of a page of the shop')
    .option('--yes', 'approve it without a question; --max or --price bounds what it may cost')
  asksService(provesCard(command), { json: 'print lines of JSON; needs --yes' })
    .addHelpText(
      'after',
      `
Before anything is asked for, it shows what would be bought, from whom, where to, with what and for how much at
most. "y" and "yes" are a yes, everything else is a no. What nobody has agreed to is never left open: it is
cancelled. \`prokura purchases\` shows, follows, cancels and retries what was bought.`,
    )
    .action(buy)
}

/** The options by which a person proves that a card is theirs. */
export function provesCard(command: Command): Command {
  return command
    .option('--cvc <token>', 'the security code as a token; in test mode cvc_3_digit or cvc_4_digit')
    .option('--code <code>', 'the one-time password of the card; test cards take 123456')
    .option('--assertion <text>', "what the card's passkey or its issuer's window gave")
}

async function buy(url: string, options: Options): Promise<void> {
  const price = priceOf(options)
  if (!options.yes && !isTalking(options))
    throw new CommandFailure(
      'A person must approve this, and nobody can be asked here. Add --yes to approve it. Nothing was bought.',
    )
  const api = productApi(options)
  const stop = interruption()
  try {
    await stop.race(beforehand(api, { url, options, price })).then(
      (agreed) => agreed && carryOut(api, stop, { options, agreed }),
      (error: unknown) => {
        throw error instanceof CommandFailure
          ? new CommandFailure(`${error.message} Nothing was bought.`)
          : error
      },
    )
  } finally {
    stop.release()
  }
}

type Asked = { url: string; options: Options; price: AskedAmount }
/** What is asked for, once a person has agreed to it, or nobody has to. */
type Agreed = {
  wish: ReturnType<typeof wishOf> & { profile_id: string }
  /** Null: a policy buys it. */
  cap: number | null
  /** What one unit cost when somebody agreed to it; null: it was not known. */
  unit: number | null
}

/** Everything that can be known and asked before there is a purchase. Null: the person said no. */
async function beforehand(api: ProductApi, asked: Asked): Promise<Agreed | null> {
  const { url, options } = asked
  const profile = await profileOrDemo(api, options.profile)
  const wish = { profile_id: profile.id, ...wishOf(asked) }
  const ahead = await lookAhead(api, wish)
  const why = whyNot(api, ahead, { url, profileId: profile.id, hasPrice: options.price !== undefined })
  if (why !== null) throw new CommandFailure(why)
  const { preview } = ahead
  const { max_allowed_amount: cap, currency_code, status } = preview
  const cardId = preview.profile_payment_method_id
  const method = cardId === null ? null : await methodOf(api, profile.id, cardId)
  if (method !== null && options.yes) assertProof(method, options)
  if (!options.json) for (const line of introduction(ahead, { url, options, profile, method })) out(line)
  // A policy buys it without asking.
  const unit = ahead.product?.unit_amount ?? null
  if (status === 'queued') return { wish, cap: null, unit }
  const question = `Buy it, for at most ${money(cap, currency_code)}?`
  if (options.yes || (await asksYes(question))) return { wish, cap, unit }
  out('Nothing was bought, because nobody agreed to it.')
  process.exitCode = 1
  return null
}

/** What one unit is expected to cost: without a price of its own, anything within what all may cost. */
function priceOf({ price, max, quantity }: Options): AskedAmount {
  if (price && max && price.currency !== max.currency)
    throw new CommandFailure(
      `--price is in ${price.currency} and --max in ${max.currency}. Name both in one currency.`,
    )
  if (price) return price
  if (!max)
    throw new CommandFailure('Say with --max what it may cost at most in all, such as --max "40.00 USD".')
  const amount = Math.floor(max.amount / quantity)
  if (amount > 0) return { amount, currency: max.currency }
  throw new CommandFailure(
    `--max is less than one unit of money for each of ${quantity}. Allow more with --max.`,
  )
}

function wishOf({ url, price, options: { quantity, max, price: named, variant, card } }: Asked) {
  const item = {
    url,
    quantity,
    expected_amount: price.amount,
    expected_currency: price.currency,
    ...(variant.length === 0 ? {} : { variant: { selections: [...variant] } }),
  }
  // Where only the cap was named, delivery may take any part of it.
  const fulfillment = { method: 'ship', ...(max && !named ? { max_fee_amount: max.amount } : {}) }
  return {
    items: [item],
    preferences: { fulfillment },
    ...(max ? { max_amount: max.amount } : {}),
    ...(card === undefined ? {} : { profile_payment_method_id: card }),
  }
}

/** A card that is not enrolled asks for its code each time, and with --yes nobody is there to give it. */
function assertProof({ card }: PaymentMethod, { cvc }: Options): void {
  if (!card || card.agentic_credentials_status === 'active' || cvc !== undefined) return
  throw new CommandFailure(
    'The card asks for its security code each time, which --yes does not give: add --cvc TOKEN.',
  )
}

type Introduced = { url: string; options: Options; profile: Profile; method: PaymentMethod | null }

function introduction(ahead: Ahead, { url, options, profile, method }: Introduced): string[] {
  const { preview, merchant, product } = ahead
  const { currency_code, max_allowed_amount } = preview
  const { quantity, variant, price } = options
  const isUnit = product?.currency_code === currency_code
  const lines = termsLines({
    items: [
      {
        url,
        quantity,
        expected_amount: price?.amount ?? null,
        unit_amount: isUnit ? (product?.unit_amount ?? null) : null,
        price_note: product?.price_note ?? null,
        title: product?.title ?? null,
        variant: variantWords({ selections: [...variant] }) ?? variantTitle(ahead),
      },
    ],
    currency_code,
    max_allowed_amount,
    shipping: { isShipped: true, address_id: null },
    profile,
    method,
    total: merchant?.offer?.total ?? null,
  })
  const simulated = simulation(ahead, url)
  return simulated === null ? lines : [styled('yellow', simulated), ...lines]
}

/** Where a product is one variant, its name says nothing more. */
function variantTitle({ product }: Ahead): string | null {
  const { variant = null, title = null, variants = [] } = product ?? {}
  return variant === null || variants.length < 2 || variant.title === title ? null : variant.title
}

type Doing = { options: Options; agreed: Agreed }

/** From here on there is a purchase, and however this ends, nothing that nobody has decided stays open. */
async function carryOut(api: ProductApi, stop: Interruption, { options, agreed }: Doing): Promise<void> {
  const printer = options.json ? jsonPrinter() : terminalPrinter()
  const begun = await begin(api, agreed)
  try {
    stop.check()
    printer.asked(begun)
    const timeline = new Timeline(api, printer, options.watch ?? false)
    const ended = await stop.race(untilEnded(api, timeline, { options, agreed, begun }))
    printer.ended(ended)
    if (!options.json) for (const line of resultHint(api, ended)) out(line)
    if (ended.status !== 'succeeded') process.exitCode = 1
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    throw new CommandFailure(`${error.message} ${await settleOpen(api, begun.id)}`)
  }
}

async function begin(api: ProductApi, { wish }: Agreed): Promise<PurchaseIntent> {
  return api.post('/v1/purchase_intents', wish).catch((error: unknown) => {
    if (!(error instanceof CommandFailure) || error instanceof Refusal) throw error
    const where = api.command('purchases list')
    throw new CommandFailure(
      `${error.message} Whether the purchase was begun is not known: ${where} shows it.`,
    )
  })
}

/** Follows a purchase to its end; what has been agreed to is approved, and another price is asked about. */
async function untilEnded(
  api: ProductApi,
  timeline: Timeline,
  { options, agreed, begun }: Doing & { begun: PurchaseIntent },
): Promise<PurchaseIntent> {
  // What somebody has agreed to for the last time.
  let unit = agreed.unit
  for (let purchase = begun, isFirst = true; ; isFirst = false) {
    const seen = await timeline.follow(purchase)
    if (hasEnded(seen)) return seen
    if (waitsToBeTold(seen) && isTalking(options)) {
      purchase = await answerInput(api, seen, { given: new Map(), mayAsk: true })
      continue
    }
    const { next_action: action, currency_code } = seen
    const proposed = action?.type === 'reapprove_price' ? action.proposal : undefined
    const cap = proposed?.max_allowed_amount ?? seen.max_allowed_amount
    const isAgreed = isFirst && agreed.cap !== null && cap <= agreed.cap
    const isAnswerable = isAgreed || action?.type === 'approve' || proposed !== undefined
    if (!isAnswerable || !(isAgreed || isTalking(options)))
      throw new CommandFailure(
        proposed ? `${risen(seen, unit)} Nobody is here to agree to that.` : `${seen.summary}`,
      )
    if (!isAgreed) {
      if (proposed) out(risen(seen, unit))
      unit = null
      if (!(await asksYes(`Buy it, for at most ${money(cap, currency_code)}?`)))
        return api.post(`/v1/purchase_intents/${seen.id}/approve`, { approve: false })
    }
    purchase = await approve(api, { id: seen.id, cap, proof: options, json: options.json ?? false })
  }
}
