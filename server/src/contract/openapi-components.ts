import { type JsonSchema, toJsonSchema } from './json-schema.ts'

/** A schema as the document shows it: named ones as references. */
export type Show = (schema: unknown) => JsonSchema

/** Collects named schemas while showing each as a reference. Two meanings of one name stop the generation. */
export function createComponents() {
  const schemas = new Map<string, JsonSchema>()
  function reference(
    shown: JsonSchema,
    name: string | undefined,
    { 'x-about': about }: Readonly<Record<string, unknown>>,
  ): JsonSchema {
    if (name === undefined) return shown
    const { description, ...bare } = shown
    const schema = { ...bare, ...described(about) }
    const known = schemas.get(name)
    if (known && !isSame(known, schema)) throw new Error(`two schemas are named ${name}`)
    if (!known) schemas.set(name, schema)
    const reference = { $ref: `#/components/schemas/${name}` }
    return description === about ? reference : { ...reference, ...described(description) }
  }
  return {
    show: (schema: unknown) => toJsonSchema(schema, reference),
    sorted: () => Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function described(description: unknown): JsonSchema {
  return description === undefined ? {} : { description }
}

/** Descriptions and defaults belong to the place where a schema is used. */
function isSame(a: JsonSchema, b: JsonSchema): boolean {
  const bare = ({ description: _, default: __, ...rest }: JsonSchema) => JSON.stringify(rest)
  return bare(a) === bare(b)
}
