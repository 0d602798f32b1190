import { type JsonSchema, toJsonSchema } from '../schema/json-schema.ts'
import { isObject } from '../schema/schema-node.ts'
import { documentSchema, isExtensible, openEnum } from './document-schema.ts'
import { type SchemaSide, shownOn } from './sides.ts'

/** A schema as the document shows it: named schemas as references. */
export type Show = Readonly<Record<SchemaSide, (schema: unknown) => JsonSchema>>

/**
 * Collects named schemas while showing each as a reference. Two meanings of one name stop the generation. The exception is a schema that
 * differs between answers, where it is open and without nulls, and requests, where it is closed and accepts nulls: it then has a name for
 * each side.
 */
export function createComponents(): Show & { sorted(): Record<string, JsonSchema> } {
  const schemas = new Map<string, JsonSchema>()
  const ofAnswers = new Set<string>()

  function named(schema: JsonSchema, name: string): JsonSchema {
    const known = schemas.get(name)
    if (known && !isSame(known, schema)) throw new Error(`two schemas are named ${name}`)
    if (!known) schemas.set(name, schema)
    return { $ref: `${root}${name}` }
  }

  function nameIn(side: SchemaSide, schema: JsonSchema, name: string): string {
    const known = schemas.get(name)
    if (side === 'answer') ofAnswers.add(name)
    return side === 'request' && known && ofAnswers.has(name) && !isSame(known, schema)
      ? `${name}Input`
      : name
  }

  function show(side: SchemaSide): (schema: unknown) => JsonSchema {
    return (given) =>
      toJsonSchema(given, (plain, name, declared) => {
        const documented = documentSchema(side, plain, declared)
        const isOpen = side === 'answer' && isExtensible(documented, declared)
        // A list of values is one component on both sides: requests accept these values, answers may have these and later ones.
        const shown = discriminated(isOpen ? documented : shownOn(side, documented), schemas)
        if (name === undefined)
          return isOpen ? openEnum(bare(shown), valuesOf(shown), shown.description) : shown
        const about = declared['x-about']
        const component = { ...shown, ...described(about) }
        if (about === undefined) delete component.description
        const reference = named(component, nameIn(side, component, name))
        if (isOpen) return openEnum(reference, valuesOf(shown), shown.description ?? about)
        return shown.description === about ? reference : { ...reference, ...described(shown.description) }
      })
  }

  return {
    request: show('request'),
    answer: show('answer'),
    sorted: () => Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

const root = '#/components/schemas/'

function described(description: unknown): JsonSchema {
  return description === undefined ? {} : { description }
}

function bare({ description: _, ...rest }: JsonSchema): JsonSchema {
  return rest
}

function valuesOf(schema: JsonSchema): unknown[] {
  return Array.isArray(schema.enum) ? schema.enum : []
}

/** Descriptions belong to the place where a schema is used. */
function isSame(a: JsonSchema, b: JsonSchema): boolean {
  return JSON.stringify(bare(a)) === JSON.stringify(bare(b))
}

/** A union of named objects that one member tells apart: exactly one of them, and which member that is. */
function discriminated(schema: JsonSchema, schemas: ReadonlyMap<string, JsonSchema>): JsonSchema {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length < 2) return schema
  const references = anyOf.map((each) =>
    isObject(each) && typeof each.$ref === 'string' ? each.$ref : undefined,
  )
  const variants = references.map((reference) => schemas.get(reference?.slice(root.length) ?? ''))
  const [first] = variants
  const propertyName = Object.keys(isObject(first?.properties) ? first.properties : {}).find((name) => {
    const values = variants.map((variant) => constantOf(variant, name))
    return values.every((value) => value !== undefined) && new Set(values).size === values.length
  })
  if (propertyName === undefined) return schema
  const mapping = variants.map((variant, index) => [constantOf(variant, propertyName), references[index]])
  return { oneOf: anyOf, discriminator: { propertyName, mapping: Object.fromEntries(mapping) }, ...rest }
}

/** The one value that a required member of an object can have. */
function constantOf(schema: JsonSchema | undefined, name: string): string | undefined {
  const isRequired = Array.isArray(schema?.required) && schema.required.includes(name)
  const member = isObject(schema?.properties) ? schema.properties[name] : undefined
  return isRequired && isObject(member) && typeof member.const === 'string' ? member.const : undefined
}
