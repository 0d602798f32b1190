import Type, { type Static } from 'typebox'
import { invalid } from '../../../contract/problem.ts'
import { Closed, Described, Named, Nullable, OneOf, Text } from '../../../contract/schemas.ts'
import { not, Ruled, says, some, whenThen } from '../../../schema/rules.ts'

const inputTypes = ['string', 'integer', 'boolean', 'date', 'choice'] as const

export const requiredInputsMax = 20

const Name = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,63}$',
  noCardNumber: true,
  description: 'The name under which the buyer sends it in `inputs`.',
})
const Line = Text(255)
const Choices = Type.Array(Line, { maxItems: 100, description: 'For `choice`: what can be chosen.' })

const rules = {
  twice: 'another input has this name',
  choices: 'choices are only for the type `choice`, which needs at least one',
}

export const RequiredInputWrite = Ruled(
  Closed({
    name: Described(Name, 'The name that the buyer sends it under in `inputs`.'),
    type: Type.Optional(OneOf(inputTypes, { description: 'What kind of value it is. Default: `string`.' })),
    label: Type.Optional(Nullable(Described(Line, 'What to ask a person.'))),
    choices: Type.Optional(Described(Choices, 'With `choice`: what can be chosen.')),
  }),
  rules,
  [
    whenThen(says('type', 'choice'), some('choices')),
    whenThen(not(says('type', 'choice')), not(some('choices'))),
  ],
)

export const RequiredInput = Named(
  'RequiredInput',
  Closed(
    {
      name: Described(Name, 'The name to send it under in `inputs`.'),
      type: OneOf(inputTypes, { description: 'What kind of value it is.' }),
      label: Nullable(Type.String({ description: 'What to ask a person.' })),
      choices: Described(Choices, 'With `choice`: what can be chosen.'),
    },
    { description: 'Something that the buyer must tell before a price can be named.' },
  ),
)
export type RequiredInput = Static<typeof RequiredInput>

/** How many inputs a buyer may give for one quote. */
export const inputsMax = 50

/** A buyer's inputs: one value under each name. */
export const Inputs = Type.Record(
  Type.String(),
  Type.Union([
    Type.String({ maxLength: 1000, noCardNumber: true }),
    Type.Integer({ minimum: -1_000_000_000_000, maximum: 1_000_000_000_000 }),
    Type.Boolean(),
  ]),
  { maxProperties: inputsMax, propertyNames: Text(64) },
)
export type Inputs = Static<typeof Inputs>

/** As stored and shown, from the fields that a merchant wrote at `loc`. */
export function requiredInputsOf(
  written: readonly Static<typeof RequiredInputWrite>[],
  loc: readonly (string | number)[] = ['body', 'required_inputs'],
): RequiredInput[] {
  return written.map((input, index) => {
    if (written.findIndex(({ name }) => name === input.name) !== index) {
      throw invalid([...loc, index, 'name'], rules.twice)
    }
    const choices = input.choices ?? []
    if ((input.type === 'choice') !== choices.length > 0) {
      throw invalid([...loc, index, 'choices'], rules.choices)
    }
    return { name: input.name, type: input.type ?? 'string', label: input.label ?? null, choices }
  })
}

/** Required inputs that are missing, or that do not have their type. */
export function missingInputs(required: readonly RequiredInput[], inputs: Inputs): RequiredInput[] {
  return required.filter((input) => !answers(input, inputs[input.name]))
}

function answers({ type, choices }: RequiredInput, value: string | number | boolean | undefined): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string' && value.trim() !== ''
    case 'integer':
      return typeof value === 'number'
    case 'boolean':
      return typeof value === 'boolean'
    case 'date':
      return typeof value === 'string' && isDate(value)
    case 'choice':
      return typeof value === 'string' && choices.includes(value)
    default:
      return type satisfies never
  }
}

/** Whether it is a real day of the calendar, as `2027-03-01`. */
export function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const at = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value)
}
