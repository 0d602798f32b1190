import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { processEnvironment } from '../../platform/config/config.ts'
import { CommandFailure } from '../failure.ts'
import { money, note } from '../terminal.ts'
import { wholeNumber } from '../whole-number.ts'
import { type BuyApi, buyApi } from './buy-api.ts'
import { type AskedAmount, addSelection, readAmount, readProductUrl, type Selection } from './buy-options.ts'
import { hasEnded, jsonPrinter, type Purchase, Timeline, terminalPrinter } from './buy-timeline.ts'
import { demoCard, demoProfile } from './demo-person.ts'

type Options = {
  quantity: number
  max?: AskedAmount
  price?: AskedAmount
  profile?: string
  variant: readonly Selection[]
  watch?: boolean
  yes?: boolean
  json?: boolean
  state: string
}

export function addBuyCommand(program: Command): void {
  program
    .command('buy')
    .description(
      'Buy one thing with the service that runs in this folder, and show every step. The exit code is 0 only if it was bought.',
    )
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
    .option(
      '--variant <name=value>',
      'what to choose where there are variants, such as Size=M; may be repeated',
      addSelection,
      [],
    )
    .option('--watch', 'also show each picture that is taken of a page of the shop')
    .option('--yes', 'approve it without a question; --max or --price bounds what it may cost')
    .option('--json', 'print lines of JSON; needs --yes')
    .option(
      '--state <dir>',
      'the state folder of the service',
      processEnvironment().PROKURA_STATE_DIR ?? '.prokura',
    )
    .action(buy)
}

async function buy(url: string, options: Options): Promise<void> {
  const price = priceOf(options)
  if (!options.yes && !isTalking(options))
    throw new CommandFailure(
      'A person must approve this, and nobody can be asked here. Add --yes to approve it. Nothing was bought.',
    )
  const api = buyApi(options.state)
  const printer = options.json ? jsonPrinter() : terminalPrinter()
  const profile_id = await profileFor(api, options)
  const asked = await api.post('/v1/purchase_intents', { profile_id, ...wishOf(url, options, price) })
  printer.asked(asked)
  const timeline = new Timeline(api, printer, options.watch ?? false)
  const ended = await interruptible(asked, untilEnded(api, timeline, { options, asked }))
  printer.ended(ended)
  if (ended.status !== 'succeeded') process.exitCode = 1
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
  return { amount: Math.floor(max.amount / quantity), currency: max.currency }
}

function wishOf(url: string, { quantity, max, price, variant }: Options, unit: AskedAmount): object {
  const item = {
    url,
    quantity,
    expected_amount: unit.amount,
    expected_currency: unit.currency,
    ...(variant.length === 0 ? {} : { variant: { selections: variant } }),
  }
  // Where only the cap was named, delivery may take any part of it.
  const fulfillment = { method: 'ship', ...(max && !price ? { max_fee_amount: max.amount } : {}) }
  return { items: [item], preferences: { fulfillment }, ...(max ? { max_amount: max.amount } : {}) }
}

type Person = { id: string; first_name: string; last_name: string; status: string }

async function profileFor(api: BuyApi, { profile }: Options): Promise<string> {
  if (profile !== undefined) return profile
  const { data }: { data: Person[] } = await api.get('/v1/profiles?status=active&limit=5')
  const [only, second] = data
  if (only && !second) return only.id
  if (only) {
    const names = data.map(({ id, first_name, last_name }) => `${id} (${first_name} ${last_name})`)
    throw new CommandFailure(
      `There are several profiles: name one with --profile, such as ${names.join(', ')}.`,
    )
  }
  if (!api.isTestMode)
    throw new CommandFailure('There is no profile to buy for. Create one first, and name it with --profile.')
  const made: Person = await api.post('/v1/profiles', demoProfile)
  await api.post(`/v1/profiles/${made.id}/payment_methods`, demoCard)
  note(`There was no profile, so Ada Lovelace was made up to buy for, with a test card: ${made.id}.`)
  return made.id
}

type Asked = { options: Options; asked: Purchase }

/** Follows a purchase to its end; wherever it waits for an approval, a person is asked. */
async function untilEnded(api: BuyApi, timeline: Timeline, { options, asked }: Asked): Promise<Purchase> {
  for (let purchase = asked, count = 0; ; count++) {
    const seen = await timeline.follow(purchase)
    if (hasEnded(seen)) return seen
    const action = seen.next_action?.type
    const isAnswerable = action === 'approve' || action === 'reapprove_price'
    // --yes has approved what was asked for, and no higher price.
    const isRefused = !isAnswerable || (count > 0 && !isTalking(options))
    if (isRefused)
      throw new CommandFailure(`${seen.summary} ${seen.id} waits for that (${action ?? seen.status}).`)
    purchase = await decide(api, seen, { ...options, yes: options.yes === true && count === 0 })
  }
}

async function decide(api: BuyApi, purchase: Purchase, options: Options): Promise<Purchase> {
  const cap = purchase.next_action?.proposal?.max_allowed_amount ?? purchase.max_allowed_amount
  const isApproved = options.yes === true || (await ask(money(cap, purchase.currency_code)))
  const path = `/v1/purchase_intents/${purchase.id}/approve`
  return await api.post(path, isApproved ? { approve: true, max_allowed_amount: cap } : { approve: false })
}

/** Only "yes" is a yes: Ctrl-C and the end of input are a no. */
async function ask(cap: string): Promise<boolean> {
  const talk = createInterface({ input: process.stdin, output: process.stderr })
  const closed = new Promise<string>((resolve) => talk.once('close', () => resolve('')))
  const answer = await Promise.race([talk.question(`Buy it, for at most ${cap}? Type yes: `), closed])
  talk.close()
  return answer.trim().toLowerCase() === 'yes'
}

function isTalking({ json }: Pick<Options, 'json'>): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true && !json
}

/** Ctrl-C ends this command, and not the purchase. */
async function interruptible<T>({ id }: Purchase, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const onSignal = () =>
    reject(
      new CommandFailure(
        `Nobody watches ${id} any more. If it was approved, it goes on: \`prokura status\` shows what is under way.`,
      ),
    )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal)
  try {
    return await Promise.race([work, promise])
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal)
  }
}
