import Type, { type Static } from 'typebox'
import type { CallContext } from '../../../../contract/context.ts'
import { defineOperation, type Reply, reply } from '../../../../contract/operation.ts'
import { Problem } from '../../../../contract/problem.ts'
import { Closed, Described, Named, OneOf } from '../../../../contract/schemas.ts'
import { formatMoney } from '../../../../core/money.ts'
import {
  type AskedLook,
  awaitLooks,
  findLooks,
  type LookRequest,
  lookRetrySeconds,
  readSites,
  type Sight,
  startLooks,
  type VisibleSite,
} from '../../looks/public.ts'
import { ItemVariant } from '../create/item-variant.ts'
import { type FailureCode, failures } from '../failure.ts'
import { fulfillmentMethods } from '../intent.ts'
import { ShopCheck } from './check-shape.ts'
import { checkoutOf } from './preview-site.ts'

const ShopCheckRequest = Named(
  'ShopCheckRequest',
  Closed(
    {
      url: Type.String({ format: 'https-url', description: 'The product page at its shop.' }),
      quantity: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 10_000, default: 1, description: 'How many units.' }),
      ),
      variant: Type.Optional(Described(ItemVariant, 'Which variant, if the product has several.')),
      method: Type.Optional(
        OneOf(fulfillmentMethods, {
          default: 'ship',
          description: 'Ship it, pick it up, or get it digitally.',
        }),
      ),
      buyer: Type.Optional(
        OneOf(['nobody', 'demo'], {
          default: 'nobody',
          description:
            'Who goes the way. `nobody`: it ends at the page that asks who buys. `demo`: a buyer of the shop’s country is made up, and ' +
            'what a form asks about them is sent to the shop, as far as the summary before the payment.',
        }),
      ),
      pictures: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'With `demo`: also answer pictures of the pages. They are large.',
        }),
      ),
    },
    { description: 'What to check.' },
  ),
)
type ShopCheckRequest = Static<typeof ShopCheckRequest>

export const checkShop = defineOperation({
  id: 'v1_check_shop',
  method: 'POST',
  path: '/v1/shops/check',
  auth: 'secret',
  scope: 'shops:check',
  forBound: 'refused',
  tag: 'Purchase intents',
  summary: 'Test whether a shop can be bought from',
  description:
    'Goes the way to the checkout of a shop of the registry, and says step by step which page came, what was pressed, and which of the ' +
    'buyer’s data each field would get. Nothing is ordered, no card is typed, and no profile is used. It waits for up to 25 seconds. If ' +
    'the shop is still `looking`, check the same again a little later.',
  reads: 'short',
  body: ShopCheckRequest,
  examples: {
    kettle: {
      summary: 'See what buying a kettle would take',
      body: { url: 'https://classic.shop.test/product/kettle' },
    },
  },
  responses: { 200: ShopCheck, 202: ShopCheck },
  answers: {
    202: 'The shop has not answered within 25 seconds: it is still `looking`. Check the same again after `Retry-After` seconds, without an idempotency key or with another one.',
  },
  replyHeaders: { 202: ['Retry-After'] },
  problems: ['not_found'],
  async handle(ctx, { body }) {
    const { host } = new URL(body.url)
    const { mode } = ctx.tenant
    const site = (await readSites(ctx.reads, mode, [host])).get(host)
    // guard checked-shops-are-known: who is not in the registry is not contacted
    if (site === undefined)
      throw new Problem('not_found', {
        param: 'url',
        message: `${host} is not in the registry of ${mode} mode, so nobody contacts it.`,
      })
    const checked = { site, body, mode }
    // A paid request is asked for nothing: its answer is what is bought.
    const isSeen = site.ways.length > 0 && site.channel !== 'mpp'
    const looks = isSeen ? await findLooks(ctx, [lookFor(checked)]) : []
    await startLooks(ctx, looks)
    const first = answered(render(checked, looks))
    if (first.status === 200) return first
    return { ...first, settle: async () => answered(render(checked, await awaitLooks(ctx, looks))) }
  },
})

type Checked = {
  readonly site: VisibleSite
  readonly body: ShopCheckRequest
  readonly mode: CallContext['tenant']['mode']
}

function answered(check: ShopCheck): Reply<200, ShopCheck> | Reply<202, ShopCheck> {
  return check.looking
    ? reply(202, check, { headers: { 'retry-after': String(lookRetrySeconds) } })
    : reply(200, check)
}

function lookFor({ site, body }: Checked): LookRequest {
  const { url, quantity = 1, variant = null, method = 'ship', buyer } = body
  return {
    aim: buyer === 'demo' ? 'demo' : 'check',
    site: site.origin,
    items: [{ url, quantity, variant }],
    currency: null,
    method,
    speed: 'cheapest',
    feeAllowance: null,
    place: null,
  }
}

function render({ site, body, mode }: Checked, [look]: readonly AskedLook[]): ShopCheck {
  const answer = look?.known?.answer ?? null
  const sight = answer?.kind === 'seen' ? answer.sight : null
  const { checkout = null } = sight === null ? {} : checkoutOf(sight)
  const { steps = [], pictures = [], country = null } = sight?.way ?? {}
  const looking = look !== undefined && answer === null
  return {
    object: 'shop_check',
    mode,
    url: body.url,
    shop: site.host,
    channel: answer?.kind === 'seen' ? answer.channel : site.channel,
    looking,
    // Over UCP nobody has to be made up.
    buyer: sight !== null && country === null ? 'nobody' : (body.buyer ?? 'nobody'),
    country,
    ...verdictOf(site, { looking, kind: answer?.kind ?? null, sight }),
    checkout,
    steps: steps.map(({ page, url, pressed, controls, choices }) => ({
      page,
      url,
      pressed: [...pressed],
      controls: controls.map(({ label, field, fate, isRequired: required }) => ({
        label,
        field,
        fate,
        required,
      })),
      choices: choices.map(({ about, name, alternatives, taken: takes }) => ({
        about,
        name,
        alternatives: [...alternatives],
        takes,
      })),
    })),
    ...(body.pictures === true
      ? { pictures: pictures.map(({ stage, urlHost: url_host, png }) => ({ stage, url_host, png })) }
      : {}),
  }
}

type Verdict = Pick<ShopCheck, 'verdict' | 'code' | 'message' | 'merchant_message'>

function verdictOf(
  { channel }: VisibleSite,
  seen: {
    readonly looking: boolean
    readonly kind: 'seen' | 'unsupported' | 'unavailable' | null
    readonly sight: Sight | null
  },
): Verdict {
  if (seen.looking)
    return { verdict: 'not_known', code: null, message: 'The shop is being looked at. Check it again.' }
  if (channel === 'mpp')
    return {
      verdict: 'not_known',
      code: null,
      message: 'The shop sells for payments over MPP. What it answers is what is bought, so nobody asks it.',
    }
  if (seen.kind === 'unavailable')
    return {
      verdict: 'not_known',
      code: 'merchant_unavailable',
      message: failures.merchant_unavailable.message,
    }
  const { sight } = seen
  if (sight === null || !sight.isPayable) return failing('merchant_unsupported')
  const [item] = sight.items
  if (item?.problem != null) return failing(item.problem, item.message)
  const stop = sight.way?.stop ?? null
  if (stop === null) return passing(sight)
  return failing(stop.code, stop.code === 'input_not_given' ? askedOn(sight) || stop.message : stop.message)
}

/** What a person can do something about: sign in, or answer. */
const forPeople: Partial<Record<FailureCode, string>> = {
  merchant_auth_failed:
    'The shop sells to customers who have signed in: a purchase there waits for a sign-in.',
  input_not_given: 'A purchase there would ask a person for what the shop requires.',
}

function failing(code: FailureCode, said?: string | null): Verdict {
  return {
    verdict: code in forPeople ? 'needs_person' : 'cannot_buy',
    code,
    message: forPeople[code] ?? failures[code].message,
    ...(said ? { merchant_message: said } : {}),
  }
}

/** What a person would be asked, in the words of the shop; empty where nobody is. */
function askedOn({ way }: Sight): string {
  const asked = way?.steps?.flatMap(({ controls }) => controls.filter(({ fate }) => fate === 'asked')) ?? []
  return [...new Set(asked.map(({ label }) => `“${label}”`))].join(', ')
}

function passing(sight: Sight): Verdict {
  const { way, money, currency } = sight
  const asked = askedOn(sight)
  if (asked !== '') return failing('input_not_given', asked)
  if (way?.isLate === true)
    return {
      verdict: 'not_known',
      code: null,
      message:
        'The shop took too long to be seen whole. What was seen until then does not stand against buying it.',
    }
  const found = { verdict: 'can_buy', code: null } as const
  if (money !== null && currency !== null) {
    const price = formatMoney(BigInt(money.total), currency)
    return { ...found, message: `It can be bought for ${price} in all, with delivery and tax.` }
  }
  return {
    ...found,
    message:
      way?.reached === 'buyer'
        ? 'Nothing stands against buying it, as far as the page that asks who buys.'
        : 'Nothing stands against buying it, as far as the shop has shown it.',
  }
}
