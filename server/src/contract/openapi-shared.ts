import type { JsonSchema } from '../schema/json-schema.ts'

type Paths = Record<string, Record<string, JsonSchema>>

/**
 * The refusals that several operations have in common, by name. In the operations a reference stands in their place: written out, they
 * are a third of the document.
 */
export function shareRefusals(paths: Paths): Record<string, JsonSchema> {
  const places = refusalsIn(paths)
  const uses = Map.groupBy(places, ({ status, refusal }) => `${status} ${JSON.stringify(refusal)}`)
  const shared: Record<string, JsonSchema> = {}
  for (const same of uses.values()) {
    const [first] = same
    if (first === undefined || same.length === 1) continue
    const name = freeName(shared, first)
    shared[name] = first.refusal
    for (const { responses, status } of same) responses[status] = { $ref: `#/components/responses/${name}` }
  }
  return Object.fromEntries(Object.entries(shared).sort(([one], [other]) => (one < other ? -1 : 1)))
}

type Refusal = {
  readonly responses: Record<string, JsonSchema>
  readonly status: string
  readonly refusal: JsonSchema
}

function refusalsIn(paths: Paths): Refusal[] {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  return operations.flatMap((operation) => {
    const responses = operation.responses as Record<string, JsonSchema> // as `operationObject` makes them
    return Object.entries(responses)
      .filter(([status]) => Number(status) >= 400)
      .map(([status, refusal]) => ({ responses, status, refusal }))
  })
}

/** The status and the codes that may come with it. Two that differ in their headers or bodies are told apart by a number. */
function freeName(taken: Record<string, JsonSchema>, { status, refusal }: Refusal): string {
  const codes: unknown = refusal['x-codes']
  const base = [status, ...(Array.isArray(codes) ? codes : [])].join('_')
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}_${number}`
    if (!Object.hasOwn(taken, name)) return name
  }
}
