import Type, { type Static } from 'typebox'
import type { CallContext } from '../../../../contract/context.ts'
import { Problem, ValidationProblem } from '../../../../contract/problem.ts'
import { Closed, CountryCode, Nullable, Text } from '../../../../contract/schemas.ts'
import { isAboutPeople } from '../../../../core/about-people.ts'
import { filled, Ruled } from '../../../../schema/rules.ts'
import { compileSchema } from '../../../../schema/validation.ts'
import type { ValidationIssue } from '../../../../schema/value-faults.ts'
import { isDate } from '../../../selling/catalog/public.ts'
import type { InputField } from './input-field.ts'

const Line = Text(255)

const AddressValue = Closed({
  recipient_name: Type.Optional(Line),
  line1: Line,
  line2: Type.Optional(Nullable(Line)),
  city: Line,
  state: Type.Optional(Nullable(Line)),
  postal_code: Type.Optional(Nullable(Text(32))),
  country: CountryCode,
})
type AddressValue = Static<typeof AddressValue>

const Told = Type.String({ maxLength: 1000, noCardNumber: true })

const InputValue = Type.Union([
  Told,
  Type.Integer({ minimum: -1_000_000_000_000, maximum: 1_000_000_000_000 }),
  Type.Boolean(),
  // An address, whose fields are checked where one is asked for: agents read this, and no agent answers with one.
  Type.Record(Type.String(), Type.Union([Told, Type.Null()]), { maxProperties: 10, propertyNames: Text(64) }),
])
type InputValue = Static<typeof InputValue>

const rules = {
  every: 'Field required: `next_action` asks for {name}',
  other: 'Extra inputs are not permitted',
  address: 'send an address: an object with `line1`, `city`, `country` and what else it has',
  text: 'send a text',
  length: 'at most {max_length} characters',
  number: 'send an integer',
  date: 'send a date as 2027-03-01',
  choice: 'send one of: {options}',
  code: 'a code is given where the person signs in, never here',
}

export const InputValues = Ruled(
  Type.Record(Type.String(), InputValue, {
    maxProperties: 100,
    propertyNames: Text(80),
    description: 'A value under the name of each field.',
  }),
  rules,
)
export type InputValues = Static<typeof InputValues>

/**
 * An agent may only choose: what is about a person or a place, and what is written freely, a person tells. Throws 403 for the first field
 * that this caller may not answer.
 */
export function checkMayAnswer(
  { scopes }: Pick<CallContext, 'scopes'>,
  fields: readonly InputField[],
  keep: boolean,
): void {
  if (scopes.has('purchase_intents:approve')) return
  const barred = fields.find((field) => !isChoice(field) || isAboutPeople(`${field.name} ${field.label}`))
  if (barred === undefined && !keep) return
  throw new Problem('insufficient_scope', {
    param: barred === undefined ? 'keep' : `values.${barred.name}`,
    message:
      'This caller answers only choices and dates that are about no person or place, and keeps no answer: it lacks the scope purchase_intents:approve. Show the person `next_action`, and let them answer.',
  })
}

function isChoice({ kind }: InputField): boolean {
  return kind === 'choice' || kind === 'date'
}

/** Throws 422 with all that the values lack, have too much, or have wrong. */
export function checkValues(fields: readonly InputField[], values: InputValues): void {
  const issues = fields.flatMap((field): ValidationIssue[] => {
    const value = values[field.name]
    const loc = ['body', 'values', field.name]
    if (value === undefined) return [{ type: 'missing', loc, msg: filled(rules.every, { name: field.name }) }]
    if (field.kind === 'address' && typeof value === 'object') return addressIssues(value, loc)
    const fault = faultOf(field, value)
    return fault === null ? [] : [{ type: 'value_error', loc, msg: `Value error, ${fault}` }]
  })
  const unknown = Object.keys(values).filter((name) => fields.every((field) => field.name !== name))
  for (const name of unknown)
    issues.push({
      type: 'extra_forbidden',
      loc: ['body', 'values', name],
      msg: rules.other,
    })
  if (issues.length > 0) throw new ValidationProblem(issues)
}

const checkAddress = compileSchema(AddressValue, 'body')

function addressIssues(value: object, at: readonly string[]): ValidationIssue[] {
  return checkAddress
    .errors(checkAddress.read(value))
    .map(({ loc, ...issue }) => ({ ...issue, loc: [...at, ...loc.slice(1)] }))
}

/** The address that a checked value is. */
export function addressOf(value: InputValue | undefined): AddressValue {
  const address = checkAddress.read(value)
  if (!checkAddress.check(address)) throw new Error('an address that was not checked')
  return address
}

function faultOf({ kind, options = [], max_length }: InputField, value: InputValue): string | null {
  switch (kind) {
    case 'address':
      return rules.address
    case 'text':
      if (typeof value !== 'string' || value.trim() === '') return rules.text
      return max_length !== undefined && value.length > max_length
        ? filled(rules.length, { max_length })
        : null
    case 'number':
      return typeof value === 'number' ? null : rules.number
    case 'date':
      return typeof value === 'string' && isDate(value) ? null : rules.date
    case 'choice':
      return typeof value === 'string' && options.includes(value)
        ? null
        : filled(rules.choice, { options: options.join(', ') })
    case 'code':
      return rules.code
    default:
      return kind satisfies never
  }
}
