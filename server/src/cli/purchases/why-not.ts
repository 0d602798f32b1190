import { failures } from '../../domain/buying/intents/failure.ts'
import { money } from '../terminal.ts'
import type { Ahead, SeenProduct } from './look-ahead.ts'
import type { ProductApi } from './product-api.ts'
import { isAddressAsked } from './say-next.ts'

type Asked = {
  readonly url: string
  readonly profileId: string
  /** Whether a price for one unit was named. */
  readonly hasPrice: boolean
}

/** Why it is not worth asking for it, and what to do; null: it may be bought. Nothing is left open by any of these. */
export function whyNot(api: ProductApi, ahead: Ahead, asked: Asked): string | null {
  return whyNobody(api, ahead, asked) ?? whyNotThere(ahead, asked) ?? whyTooDear(ahead, asked)
}

/** What the profile, the card or a policy stands against. */
function whyNobody(api: ProductApi, { preview }: Ahead, { profileId }: Asked): string | null {
  const { status, policy_decision, next_action: action } = preview
  if (status === 'declined') {
    const denied = policy_decision.evaluated.find(({ result }) => result === 'deny')
    const rule = denied
      ? `: \`${denied.rule}\` of ${denied.policy_id} allows ${denied.limit ?? 'none of it'}, and this has ${denied.observed ?? 'none that is known'}`
      : ''
    return `A policy denies this purchase${rule}.`
  }
  if (isAddressAsked(action))
    return `The profile ${profileId} has no address that it could be shipped to. Add one with ${api.command(`profiles addresses add ${profileId}`)}, which --help explains.`
  if (action?.type === 'select_payment_method')
    return `The profile ${profileId} has no card. Add one with ${api.command(`cards add ${api.mode === 'test' ? 'visa_auto_approved' : 'TOKEN'} --profile ${profileId}`)}.`
  return null
}

/** With these nothing can come of it, however long it is tried. */
const hopeless = [
  'product_not_found',
  'product_out_of_stock',
  'insufficient_stock',
  'unsupported_currency',
  'address_undeliverable',
] as const

function whyNotThere({ preview, merchant, product }: Ahead, { url }: Asked): string | null {
  if (merchant === null) return null
  const { host } = new URL(url)
  const codes = merchant.problems.map(({ code }) => code)
  const saidOf = (why: string) => merchant.problems.find(({ code }) => code === why)?.merchant_message
  if (codes.includes('variant_required')) return whatToChoose(product, saidOf('variant_required'))
  const why = hopeless.find((code) => codes.includes(code))
  if (why === 'unsupported_currency' && product?.currency_code)
    return `${host} sells in ${product.currency_code}, and not in ${preview.currency_code}. Name --max and --price in ${product.currency_code}.`
  if (why !== undefined) {
    const said = saidOf(why)
    return `${host}: ${failures[why].message}${said === undefined ? '' : ` It says: ${said}`}`
  }
  return merchant.supported ? null : `${host}: ${failures.merchant_unsupported.message}`
}

/** The choices of a product, as the command takes them. */
function whatToChoose(product: SeenProduct | null, said = ''): string {
  const { title = null, variants = [] } = product ?? {}
  const what = title === null ? 'The product' : title
  const names = [...new Set(variants.flatMap(({ options }) => options.map(({ name }) => name)))]
  if (names.length === 0)
    return `${what} comes in several variants. ${said && `${said} `}Name one with --variant, such as --variant Size=M.`
  const choices = names.map((name) => {
    const labels = variants
      .filter(({ availability }) => availability.available)
      .flatMap(({ options }) => options.filter((one) => one.name === name).map(({ label }) => label))
    return { name, labels: [...new Set(labels)] }
  })
  const listed = choices.map(
    ({ name, labels }) => `${name}: ${labels.length === 0 ? 'none is in stock' : labels.join(', ')}`,
  )
  const example = choices
    .map(({ name, labels }) => `--variant ${quoted(`${name}=${labels[0] ?? '…'}`)}`)
    .join(' ')
  return `${what} comes in several variants. Name one with ${example}. There is ${listed.join('; ')}.`
}

/** As a shell reads it as one word. */
function quoted(text: string): string {
  return /^[\p{L}\p{N}=_.,/+-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function whyTooDear(ahead: Ahead, { url, hasPrice }: Asked): string | null {
  const { preview, merchant, product } = ahead
  const { max_allowed_amount: cap, currency_code: currency } = preview
  const most = `above the most that may be charged, ${money(cap, currency)}`
  const total = merchant?.offer?.total ?? null
  if (total !== null && total > cap) {
    const why = `The total ${money(total, currency)} is ${most}.`
    const simulated = simulation(ahead, url)
    if (simulated === null) return `${why} Allow more with --max.`
    const how = hasPrice
      ? 'Leave room for them in --max.'
      : 'Without --price, one unit is expected to cost all of --max: say with --price what it should cost.'
    return `${why} ${simulated} ${how}`
  }
  const unit = product?.currency_code === currency ? product.unit_amount : null
  return unit !== null && unit > cap
    ? `One unit costs ${money(unit, currency)}, which is ${most}. Allow more with --max.`
    : null
}

/** What a purchase is that no shop hears of, and what decides its price; null: a shop hears of it. */
export function simulation({ preview, merchant }: Ahead, url: string): string | null {
  if (merchant?.channel !== 'simulated') return null
  const { currency_code: currency } = preview
  const { fulfillment = 0, tax = 0 } = merchant.offer ?? {}
  return (
    `This is a simulation: test mode does not contact ${new URL(url).host}, which is not in its registry. ` +
    `It is sold at the price that you expect (--price), plus ${money(fulfillment, currency)} for delivery and ${money(tax, currency)} of tax.`
  )
}
