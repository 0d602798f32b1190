import { isObject } from '../../src/schema/schema-node.ts'

/** One keyword of a schema that refuses something, and the way to it. */
export type Bound = { way: readonly (string | number)[]; keyword: string; member?: string }

const sizes = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties']
const numbers = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']
const others = ['pattern', 'format', 'enum', 'uniqueItems', 'noCardNumber', 'propertyNames']

/** Every bound of a schema, in its order. */
export function boundsOf(schema: unknown, way: Bound['way'] = []): Bound[] {
  if (Array.isArray(schema)) return schema.flatMap((each, index) => boundsOf(each, [...way, index]))
  if (!isObject(schema)) return []
  const own = [...sizes, ...numbers, ...others].filter(
    // No reader takes a larger number than this, so the bound changes nothing.
    (keyword) => ![undefined, false, Number.MAX_SAFE_INTEGER].includes(schema[keyword] as undefined),
  )
  const required = Array.isArray(schema.required) ? schema.required.map(String) : []
  const inner = ['items', 'anyOf', 'oneOf', 'allOf', 'patternProperties', 'properties', 'propertyNames']
  return [
    ...own.map((keyword) => ({ way, keyword })),
    ...required.map((member) => ({ way, keyword: 'required', member })),
    ...(schema.additionalProperties === false ? [{ way, keyword: 'additionalProperties' }] : []),
    ...inner.flatMap((keyword) =>
      keyword === 'properties' || keyword === 'patternProperties'
        ? Object.entries(isObject(schema[keyword]) ? schema[keyword] : {}).flatMap(([name, each]) =>
            boundsOf(each, [...way, keyword, name]),
          )
        : boundsOf(schema[keyword], [...way, keyword]),
    ),
  ]
}

export function nameOf({ way, keyword, member }: Bound): string {
  const place = way.filter((step) => step !== 'properties' && step !== 'items').join('.')
  return `${keyword}${member === undefined ? '' : ` ${member}`} of ${place || 'all of it'}`
}

/** The schema with this bound gone, or moved by so much. */
export function changedBound<Schema>(schema: Schema, bound: Bound, by: number | null): Schema {
  return at(schema, bound.way, (holder) => {
    const { keyword, member } = bound
    const given = holder[keyword]
    if (by !== null && typeof given === 'number') return { ...holder, [keyword]: given + by }
    const { [keyword]: _gone, 'x-component': _name, ...rest } = holder
    if (member !== undefined && Array.isArray(given))
      return { ...rest, required: given.filter((name) => name !== member) }
    // Listed values stand for the type, too.
    return keyword === 'enum' ? { type: 'string', ...rest } : rest
  }) as Schema // of the same shape but for one keyword
}

/** Whether the bound is a number that can be moved, and which direction allows more. */
export function looserBy(schema: unknown, { way, keyword }: Bound): -1 | 1 | null {
  const holder = way.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    schema,
  )
  const isNumber = isObject(holder) && typeof holder[keyword] === 'number'
  if (!isNumber || keyword === 'multipleOf') return null
  return /^m?(exclusiveM)?ax/.test(keyword) ? 1 : -1
}

function at(
  value: unknown,
  [step, ...rest]: Bound['way'],
  change: (holder: Record<string, unknown>) => object,
): unknown {
  if (step === undefined) return isObject(value) ? change(value) : value
  if (Array.isArray(value))
    return value.map((each, index) => (index === step ? at(each, rest, change) : each))
  if (!isObject(value)) return value
  // The changed schema is no longer the one of that name.
  const { 'x-component': _name, ...unnamed } = value
  return { ...unnamed, [step]: at(value[step], rest, change) }
}
