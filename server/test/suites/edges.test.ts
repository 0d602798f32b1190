import { describe, expect, test } from 'vitest'
import { operations } from '../../src/composition.ts'
import { matchesFormat } from '../../src/schema/formats.ts'
import { withoutNulls } from '../../src/schema/left-out.ts'
import { readSchema, type SchemaNode } from '../../src/schema/schema-node.ts'
import { collectIssues } from '../../src/schema/validation-issues.ts'
import { bodyBytesMax } from '../../src/surfaces/http/edge.ts'
import { type Bound, boundsOf, changedBound, looserBy, nameOf } from './bounds.ts'
import { type Edge, edgesOf } from './edges.ts'
import { brokenFormats, formatSamples, sampleOf } from './sample.ts'

const nobody = () => undefined
const sections = operations.flatMap(({ id, params, query, headers, body }) =>
  Object.entries({ params, query, headers, body }).flatMap(([section, schema]) =>
    schema === undefined ? [] : [{ name: `${id} ${section}`, schema }],
  ),
)

function edgesIn(schema: unknown): Edge[] {
  const node = readSchema(schema)
  return edgesOf(node, { at: '', base: sampleOf(node, nobody), named: nobody })
}

function saidOf(schema: unknown, edges: readonly Edge[]): string[] {
  const node = readSchema(schema)
  return edges.map(({ value }) => saidBy(node, value))
}

function saidBy(node: SchemaNode, value: unknown): string {
  return JSON.stringify(collectIssues(node, withoutNulls(node, value, 'left_out'), 'body'))
}

/** The changes of this bound that no edge finds. */
function unseen(schema: unknown, bound: Bound, edges: readonly Edge[], said: readonly string[]): string[] {
  const looser = looserBy(schema, bound)
  const changes = looser === null ? [null] : [null, looser, -looser]
  const member =
    bound.member ?? String(bound.way.findLast((step) => typeof step === 'string' && step !== 'items'))
  const likely = [...edges.entries()].sort(
    ([, a], [, b]) => Number(b.at.includes(member)) - Number(a.at.includes(member)),
  )
  return changes.flatMap((by) => {
    const node = readSchema(changedBound(schema, bound, by))
    const isSeen = likely.some(([index, { value }]) => saidBy(node, value) !== said[index])
    return isSeen ? [] : [`${nameOf(bound)}${by === null ? ' gone' : ` moved by ${by}`}`]
  })
}

describe('edges', () => {
  test('when a bound of the contract is removed or moved by one, the answer to an edge changes', () => {
    let tried = 0
    const missed = sections.flatMap(({ name, schema }) => {
      // A value larger than any body cannot be sent, so no edge may depend on it.
      const sized = edgesIn(schema).map((edge) => ({ edge, size: JSON.stringify(edge.value).length }))
      // The small ones first: most changes are seen by one of those, and a large one takes a hundred times as long to read.
      const edges = sized
        .filter(({ size }) => size < bodyBytesMax)
        .sort((a, b) => a.size - b.size)
        .map(({ edge }) => edge)
      const said = saidOf(schema, edges)
      const bounds = boundsOf(schema)
      tried += bounds.length
      return bounds.flatMap((bound) => unseen(schema, bound, edges, said).map((what) => `${name}: ${what}`))
    })
    expect(missed).toEqual([])
    expect(tried).toBeGreaterThan(2000)
  })

  test('the validator takes and refuses what the keywords of a schema take and refuse', () => {
    const wrong = sections.flatMap(({ name, schema }) => {
      const edges = edgesIn(schema)
      const said = saidOf(schema, edges)
      return edges.flatMap(({ at, isTaken }, index) =>
        isTaken === null || isTaken === (said[index] === '[]') ? [] : [`${name}: ${at}: ${said[index]}`],
      )
    })
    expect(wrong).toEqual([])
  })

  test('every format has values of the format and values that almost are', () => {
    for (const [format, broken] of Object.entries(brokenFormats))
      expect(broken.filter((text) => matchesFormat(format, text))).toEqual([])
    for (const [format, samples] of Object.entries(formatSamples)) {
      expect(samples.filter((text) => !matchesFormat(format, text))).toEqual([])
      expect(brokenFormats[format]?.length).toBeGreaterThan(1)
    }
  })

  test('the same schema has the same edges, and each its own name', () => {
    for (const { schema } of sections.slice(0, 40)) expect(edgesIn(schema)).toEqual(edgesIn(schema))
  })
})
