import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import type { ShopCheck } from '../../domain/buying/intents/preview/check-shape.ts'
import { CommandFailure } from '../failure.ts'
import {
  type ApiOptions,
  asksService,
  type ProductApi,
  productApi,
  Refusal,
} from '../purchases/product-api.ts'
import { row } from '../purchases/say-terms.ts'
import { money, note, out, outJson, styled, table } from '../terminal.ts'
import { wholeNumber } from '../whole-number.ts'
import { addSelection, readProductUrl, type Selection } from './buy-options.ts'

type Options = ApiOptions & {
  quantity: number
  variant: readonly Selection[]
  as?: 'demo'
  pictures?: string
}

export function defineShop(shop: Command): void {
  asksService(shop.command('check'))
    .description('Say step by step what buying something would take, without buying it.')
    .argument('<url>', 'the product page', readProductUrl)
    .option('--quantity <n>', 'how many units', wholeNumber(1, 10_000), 1)
    .option(
      '--variant <name=value>',
      'what to choose where there are variants, such as Size=M; may be repeated',
      addSelection,
      [],
    )
    .addOption(
      new Option(
        '--as <buyer>',
        'go on behind the page that asks who buys, as a buyer of its country who does not exist',
      ).choices(['demo']),
    )
    .option('--pictures <dir>', 'where to keep the pictures of --as demo (default: shop-check-HOST)')
    .addHelpText(
      'after',
      `
It puts the product into a guest's cart and goes on to the page that asks who buys. There it says which of the buyer's
data each field would get, and ends: nothing is typed, and no profile is used. --as demo sends made-up data to the shop,
as far as the summary before the payment. No card is ever typed, and nothing is ordered. It needs a key with every scope.

The exit code is 0 if nothing stands against buying it, 2 if a person has to sign in or to answer something first,
and 1 if it cannot be bought or was not seen.`,
    )
    .action(check)
}

/** A shop that is slower than so many waits was not seen. */
const looksMax = 6

const codes = { can_buy: 0, needs_person: 2, cannot_buy: 1, not_known: 1 } as const

async function check(url: string, options: Options): Promise<void> {
  const { quantity, variant, as: buyer, pictures: folder } = options
  if (folder !== undefined && buyer === undefined)
    throw new CommandFailure('Without --as demo no pictures are taken: leave out --pictures.')
  const api = productApi(options)
  const asked = {
    url,
    quantity,
    ...(variant.length === 0 ? {} : { variant: { selections: [...variant] } }),
    ...(buyer === undefined ? {} : { buyer, pictures: true }),
  }
  const { pictures = [], ...seen } = await untilSeen(api, asked)
  const files = keepPictures(pictures, folder ?? `shop-check-${new URL(url).hostname}`)
  if (options.json) outJson({ ...seen, ...(buyer === undefined ? {} : { pictures: files }) })
  else for (const line of linesOf(seen, files)) out(line)
  process.exitCode = codes[seen.verdict]
}

async function untilSeen(api: ProductApi, asked: { url: string }): Promise<ShopCheck> {
  for (let looks = 1; ; looks++) {
    const seen: ShopCheck = await api.post('/v1/shops/check', asked).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'not_found') throw unknownShop(api, asked)
      throw error
    })
    if (!seen.looking || looks === looksMax) return seen
    note('The shop is being looked at …')
  }
}

function unknownShop({ mode }: ProductApi, { url }: { url: string }): CommandFailure {
  const { host, origin } = new URL(url)
  return new CommandFailure(
    `${host} is not in the registry of ${mode} mode, so nobody contacts it. ` +
      `Add it with \`prokura registry add ${origin} --mode ${mode}\`, and --channel browser for a shop of pages alone.`,
  )
}

type KeptPicture = { readonly stage: string; readonly url_host: string; readonly file: string }

function keepPictures(pictures: NonNullable<ShopCheck['pictures']>, folder: string): KeptPicture[] {
  if (pictures.length === 0) return []
  const at = resolve(folder)
  mkdirSync(at, { recursive: true })
  return pictures.map(({ stage, url_host, png }, index) => {
    const file = join(at, `${index + 1}-${stage.replaceAll(/[^a-z_]/gu, '')}.png`)
    writeFileSync(file, Buffer.from(png, 'base64'))
    return { stage, url_host, file }
  })
}

function linesOf(seen: ShopCheck, files: readonly KeptPicture[]): string[] {
  const { shop, channel, buyer, country, checkout, message, merchant_message: said } = seen
  const cart = checkout?.cart ?? null
  const who = buyer === 'demo' ? `a buyer who is made up, in ${country}` : 'nobody'
  const guests = { true: 'may buy', false: 'may not buy', null: 'not known' }[
    String(checkout?.guests ?? null)
  ]
  return [
    ...tableOf(seen.steps),
    row('shop', `${shop}, ${channel === null ? 'no way to buy there' : `bought over ${channel}`}`),
    row('went', who),
    ...(checkout === null ? [] : [row('guests', guests ?? '')]),
    ...(cart === null ? [] : [row('cart', `${money(cart.total, cart.currency_code)}${partsOf(cart)}`)]),
    ...files.map(({ file }) => row('picture', file)),
    styled(seen.verdict === 'can_buy' ? 'green' : 'yellow', message),
    ...(said === undefined ? [] : [row('the shop', said)]),
  ]
}

type Cart = NonNullable<NonNullable<ShopCheck['checkout']>['cart']>

function partsOf({ fulfillment, tax, currency_code: currency }: Cart): string {
  const part = (name: string, amount: number | null) =>
    amount === null ? `${name} not known yet` : `${name} ${money(amount, currency)}`
  return `, ${part('delivery', fulfillment)}, ${part('tax', tax)}`
}

type Step = ShopCheck['steps'][number]

function tableOf(steps: readonly Step[]): string[] {
  if (steps.length === 0) return []
  const rows = steps.flatMap(({ page, url, pressed, controls, choices }, index) => [
    [String(index + 1), page, url, '', ''],
    ...controls.map(({ label, field, fate, required }) => [
      '',
      '',
      `${label === '' ? 'a field without a name' : label}${required ? ' *' : ''}`,
      field ?? 'unknown',
      how[fate],
    ]),
    ...choices.map(({ about, name, alternatives, takes }) => [
      '',
      '',
      `${name === '' ? '' : `${name}: `}${alternatives.join(' | ')}`,
      about,
      takes === null
        ? about === 'variant'
          ? 'UNSURE: name one'
          : 'as the shop has chosen'
        : `takes: ${takes}`,
    ]),
    ...pressed.map((label) => ['', '', '', 'pressed', label]),
  ])
  return table(['STEP', 'PAGE', 'FIELD (* REQUIRED)', 'GETS', 'HOW'], rows)
}

const how: Readonly<Record<Step['controls'][number]['fate'], string>> = {
  typed: 'typed',
  chosen: 'chosen',
  ticked: 'ticked',
  card: 'from the card',
  asked: 'UNSURE: a person is asked',
  secret: 'UNSURE: a secret, never asked for',
  stuck: 'UNSURE: nobody has it',
  left: 'left as it is',
}
