import Type, { type Static } from 'typebox'
import type { CallContext } from '../../../../contract/context.ts'
import { defineOperation, reply } from '../../../../contract/operation.ts'
import { invalid, Problem } from '../../../../contract/problem.ts'
import { Closed, IdParam, Named } from '../../../../contract/schemas.ts'
import { Ruled } from '../../../../schema/rules.ts'
import {
  addressesMax,
  changeProfile,
  newAddress,
  personName,
  readProfile,
  withAddress,
} from '../../../buyers/profiles/public.ts'
import { keepAnswers } from '../../../buyers/shop-answers/public.ts'
import { changeIntent } from '../change-intent.ts'
import { type LoadedCart, type LoadedIntent, PurchaseIntent } from '../intent.ts'
import type { LockedIntentRow } from '../intents.sql.ts'
import { type CartAnswers, storedAnswer } from './cart-answers.ts'
import { decideWithAddress, shippedTo } from './decide-address.ts'
import { type CartField, type InputField, shippingAddress } from './input-field.ts'
import { addressOf, checkMayAnswer, checkValues, InputValues } from './input-values.ts'
import { lockForRelease } from './release-money.ts'

const onlyAddresses = 'only an address is kept, and answers to a shop elsewhere'

const PurchaseIntentInput = Named(
  'PurchaseIntentInput',
  Closed(
    {
      cart_id: Type.Optional(IdParam('The cart that asks, if `next_action` names one.', 'cart')),
      values: InputValues,
      keep: Type.Optional(
        Ruled(
          Type.Boolean({
            default: false,
            description: 'Whether the profile keeps the address, or the answers.',
          }),
          {
            onlyAddresses,
          },
        ),
      ),
    },
    { description: 'What a purchase asks to be told.' },
  ),
)
type PurchaseIntentInput = Static<typeof PurchaseIntentInput>

export const answerPurchaseIntentInput = defineOperation({
  id: 'v1_answer_purchase_intent_input',
  method: 'POST',
  path: '/v1/purchase_intents/{purchase_intent_id}/input',
  auth: 'secret',
  scope: 'purchase_intents:write',
  forBound: 'served',
  tag: 'Purchase intents',
  summary: 'Answer what a purchase intent asks',
  description:
    'While `next_action` is `provide_input`, send a value for each of its `fields`. Agents answer choices and dates that ' +
    'are about no person or place; a person tells the rest. A code is never sent here.',
  params: Closed({ purchase_intent_id: IdParam('The purchase intent.', 'pi') }),
  body: PurchaseIntentInput,
  examples: {
    date: {
      summary: 'Say on which day a booking begins',
      body: { cart_id: 'cart_01kwzj0000e0000000000000d5', values: { start_date: '2027-03-01' } },
    },
    address: {
      summary: 'Say where the goods go',
      body: {
        values: {
          shipping_address: {
            line1: '233 S Wacker Drive',
            city: 'Chicago',
            state: 'IL',
            postal_code: '60606',
            country: 'US',
          },
        },
        keep: true,
      },
    },
  },
  responses: { 200: PurchaseIntent },
  problems: ['not_found', 'input_not_awaited', 'frozen', 'profile_not_active', 'object_limit_reached'],
  async handle(ctx, { path, body }) {
    const loaded = await lockForRelease(ctx, path.purchase_intent_id)
    const { cart, fields } = findQuestion(loaded, body, ctx.now)
    checkMayAnswer(ctx, fields, body.keep === true)
    if (cart?.merchant_account_id != null && body.keep === true)
      throw invalid(['body', 'keep'], onlyAddresses)
    checkValues(fields, body.values)
    if (cart !== null && body.keep === true) await keep(ctx, loaded, cart, body.values)
    return reply(200, cart === null ? await shipTo(ctx, loaded, body) : tell(ctx, loaded, cart, body.values))
  },
})

type AskingCart = LoadedCart & { question: NonNullable<LoadedCart['question']> }
type Question =
  | { readonly cart: AskingCart; readonly fields: readonly CartField[] }
  | { readonly cart: null; readonly fields: readonly InputField[] }

function findQuestion(
  { intent, carts }: LoadedIntent & { intent: LockedIntentRow },
  { cart_id }: PurchaseIntentInput,
  now: Date,
): Question {
  if (cart_id === undefined) {
    const isAwaited = intent.status === 'awaiting_approval' && !intent.is_approval_over
    if (isAwaited && intent.ship_to === 'awaited') return { cart: null, fields: [shippingAddress] }
    throw new Problem('input_not_awaited', carts.some(isAsking) ? { message: namesItsCart } : {})
  }
  const cart = carts.find(({ id }) => id === cart_id)
  if (!cart) throw new Problem('not_found', { param: 'cart_id' })
  if (!isAsking(cart) || new Date(cart.question.until) <= now) throw new Problem('input_not_awaited')
  return { cart, fields: cart.question.fields }
}

const namesItsCart = 'A cart of the purchase asks: send its `cart_id`, which `next_action` names.'

function isAsking(cart: LoadedCart): cart is AskingCart {
  return cart.status === 'in_progress' && cart.question !== null
}

/** Its merchant is told with the order, and a shop elsewhere on its way. The cart is due at once, and asks for a price. */
function tell(ctx: CallContext, loaded: LoadedIntent, cart: AskingCart, values: InputValues): PurchaseIntent {
  const { id, question } = cart
  const items = loaded.intent.items.map((item) => {
    const told = question.fields.flatMap(({ of_item, ...field }) =>
      of_item?.id === item.id ? [[of_item, givenFor(field, values)] as const] : [],
    )
    if (told.length === 0) return item
    const given = told.map(
      ([{ input, is_yes_or_no }, value]) => [input, is_yes_or_no ? value === 'yes' : value] as const,
    )
    return { ...item, inputs: { ...item.inputs, ...Object.fromEntries(given) } }
  })
  ctx.tx.wake('carts')
  return changeIntent(ctx, loaded, {
    intent: { items },
    carts: [{ id, changes: { question: null, answers: answersOf(ctx, cart, values), due_at: ctx.now } }],
    events: [{ type: 'cart.input_given', cartId: id }],
  })
}

/** For the next purchase of the profile there, at the very hosts that asked. */
async function keep(
  ctx: CallContext,
  { intent }: LoadedIntent,
  { items, question: { fields } }: AskingCart,
  values: InputValues,
): Promise<void> {
  const domain = intent.items.find(({ id }) => id === items[0]?.id)?.domain ?? ''
  const told = fields.map((field) => ({
    host: field.host ?? '',
    name: field.name,
    label: field.label,
    value: String(givenFor(field, values)).trim(),
  }))
  await keepAnswers(ctx, { profileId: intent.profile_id, domain }, told)
}

function givenFor({ name }: InputField, values: InputValues): string | number | boolean {
  const value = values[name]
  if (value === undefined || typeof value === 'object') throw new Error(`${name} was not checked`)
  return value
}

function answersOf(
  { sealer }: CallContext,
  { id, question: { fields, session }, answers }: AskingCart,
  values: InputValues,
): CartAnswers | null {
  const ofShop = fields.filter(({ of_item }) => of_item === undefined)
  if (ofShop.length === 0) return answers
  const { given = [], asked = 0 } = answers ?? {}
  const told = ofShop.map((field) => storedAnswer(sealer, id, field, String(givenFor(field, values)).trim()))
  return { given: [...given, ...told], session, asked: asked + 1 }
}

/** Goes on as if the profile had got its first address, with this one. */
async function shipTo(
  ctx: CallContext,
  loaded: LoadedIntent,
  body: PurchaseIntentInput,
): Promise<PurchaseIntent> {
  const profileId = loaded.intent.profile_id
  const profile = await readProfile(ctx.tx, ctx.tenant, profileId)
  if (profile?.status !== 'active') throw new Problem('profile_not_active')
  const written = addressOf(body.values[shippingAddress.name])
  const address = newAddress(
    ctx,
    { address_type: 'shipping', ...written },
    { recipientName: personName(profile), loc: ['body', 'values', shippingAddress.name] },
  )
  if (body.keep === true)
    await changeProfile(ctx, profileId, 'profile.updated', (row) => {
      if (row.addresses.length >= addressesMax) throw new Problem('object_limit_reached')
      return { addresses: withAddress(row.addresses, address) }
    })
  const given = shippedTo(loaded.intent, address, body.keep === true ? address.id : null)
  const decided = await decideWithAddress(ctx, loaded, { given, profile })
  if (decided === null) throw new Error('an address was given, and the purchase does not know it')
  return decided
}
