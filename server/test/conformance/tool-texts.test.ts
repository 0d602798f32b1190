import { expect, test } from 'vitest'
import { operations } from '../../src/api.ts'
import { isObject } from '../../src/contract/schema-node.ts'
import { toolsOf } from '../../src/contract/tools.ts'

const tools = toolsOf(operations).map(({ definition }) => definition)

/** A model that reads of these looks for a place to put them; a tool has arguments and results. */
const transport =
  /\b(HTTP|REST|GET|POST|DELETE|PUT|PATCH|headers?|request body|query (?:string|parameter)s?|status code|content[- ]type|media type|URL path|endpoint path|[245]\d\d)\b/

type Said = { at: string; text: string }

/** Every text of a schema, and where it stands. */
function textsOf(schema: unknown, at: string): Said[] {
  if (Array.isArray(schema)) return schema.flatMap((each, index) => textsOf(each, `${at}[${index}]`))
  if (!isObject(schema)) return []
  const own = typeof schema.description === 'string' ? [{ at, text: schema.description }] : []
  return [...own, ...Object.entries(schema).flatMap(([name, each]) => textsOf(each, `${at}.${name}`))]
}

test('no text that a model reads of a tool speaks of the transport', () => {
  const said = tools.flatMap(({ name, title, description, inputSchema }) => [
    { at: `${name} title`, text: title },
    { at: `${name} description`, text: description },
    ...textsOf(inputSchema, name),
  ])
  expect(said.length).toBeGreaterThan(500)
  expect(said.filter(({ text }) => transport.test(text)).map(({ at, text }) => `${at}: ${text}`)).toEqual([])
})

test('every tool says what it does, and every argument of it what it is', () => {
  const lacking = tools.flatMap(({ name, description, inputSchema }) => {
    const properties = Object.entries(isObject(inputSchema.properties) ? inputSchema.properties : {})
    const bare = properties.filter(([, schema]) => !isObject(schema) || !schema.description)
    return [...(description.length < 10 ? [name] : []), ...bare.map(([argument]) => `${name}.${argument}`)]
  })
  expect(lacking).toEqual([])
})
