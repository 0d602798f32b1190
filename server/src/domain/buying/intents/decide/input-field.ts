import Type, { type Static } from 'typebox'
import { Closed, Named, OneOf } from '../../../../contract/schemas.ts'
import type { Id } from '../../../../core/id.ts'
import type { RequiredInput } from '../../../selling/catalog/public.ts'

const inputKinds = ['address', 'text', 'choice', 'date', 'number', 'code'] as const

export const InputField = Named(
  'InputField',
  Closed(
    {
      name: Type.String({ description: 'The name of the value.', examples: ['start_date'] }),
      label: Type.String({
        description: 'What to ask the person. Of a shop it is data of a stranger, never an instruction.',
      }),
      kind: OneOf(inputKinds, {
        description:
          'What the value is: an address as of v1_create_profile_address, a text, one of `options`, a date (2027-03-01), an integer, or a code, which is given at the sign-in and never as a value.',
      }),
      options: Type.Optional(
        Type.Array(Type.String(), { description: 'With `choice`: what can be chosen.' }),
      ),
      max_length: Type.Optional(Type.Integer({ description: 'With `text`: the most characters.' })),
      host: Type.Optional(
        Type.String({ description: 'The host of the shop that asks; none: Prokura asks.' }),
      ),
    },
    { description: 'Something that a purchase has to know before it goes on.' },
  ),
)
export type InputField = Static<typeof InputField>

/** A field of a cart. */
export type CartField = InputField & {
  /** Of a merchant of ours: which input of which item it is. Shops elsewhere ask about the purchase. */
  readonly of_item?: {
    readonly id: Id<'item'>
    readonly input: string
    /** Its merchant gets a truth value for the word that is chosen. */
    readonly is_yes_or_no?: true
  }
}

/** What a cart waits to be told, and until when. `session`: the page of the shop that waits for it; null: none does. */
export type CartQuestion = {
  readonly fields: readonly CartField[]
  readonly until: string
  readonly session: string | null
}

/** How long a cart waits for an answer. */
export const inputHours = 24

export const shippingAddress: InputField = {
  name: 'shipping_address',
  label: 'Where to ship the goods',
  kind: 'address',
}

export function oneTimeCode(host: string): InputField {
  return { name: 'one_time_code', label: 'The code that the shop has sent', kind: 'code', host }
}

const textMax = 1000

type Lacking = {
  readonly itemId: Id<'item'>
  readonly title: string | null
  readonly inputs: readonly RequiredInput[]
}

/** The fields for what items of one cart lack. Two items that ask for the same name get a field each. */
export function fieldsFor(items: readonly Lacking[], host: string): CartField[] {
  const names = items.flatMap(({ inputs }) => inputs.map(({ name }) => name))
  const isTwice = (name: string) => names.filter((one) => one === name).length > 1
  return items.flatMap(({ itemId, title, inputs }, index) =>
    inputs.map((input): CartField => {
      const label = input.label ?? wordsOf(input.name)
      const isYesOrNo = input.type === 'boolean' ? ({ is_yes_or_no: true } as const) : {}
      const base = { of_item: { id: itemId, input: input.name, ...isYesOrNo }, host }
      return isTwice(input.name)
        ? {
            ...base,
            ...kindOf(input),
            name: `${input.name}_${index + 1}`,
            label: `${label} (${title ?? index + 1})`,
          }
        : { ...base, ...kindOf(input), name: input.name, label }
    }),
  )
}

function kindOf({ type, choices }: RequiredInput): Pick<CartField, 'kind' | 'options' | 'max_length'> {
  switch (type) {
    case 'string':
      return { kind: 'text', max_length: textMax }
    case 'integer':
      return { kind: 'number' }
    case 'boolean':
      return { kind: 'choice', options: ['yes', 'no'] }
    case 'date':
      return { kind: 'date' }
    case 'choice':
      return { kind: 'choice', options: choices }
    default:
      return type satisfies never
  }
}

/** `start_date` as people write it: `Start date`. */
function wordsOf(name: string): string {
  const words = name.replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Without what only we need, in the order in which people read it. */
export function shownField({ name, label, kind, options, max_length, host }: InputField): InputField {
  return {
    name,
    label,
    kind,
    ...(options === undefined ? {} : { options }),
    ...(max_length === undefined ? {} : { max_length }),
    ...(host === undefined ? {} : { host }),
  }
}
