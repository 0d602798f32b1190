import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../../src/composition.ts'
import type { OperationFacts } from '../../src/contract/operation.ts'
import { isObject } from '../../src/schema/schema-node.ts'
import { compileSchema } from '../../src/schema/validation.ts'
import { liftedLimits, startTestApp } from '../harness/app.ts'
import { doneMeanwhile, everyStandIn } from '../harness/stand-ins.ts'
import { openClient } from '../suites/client.ts'
import { ownerOf } from '../suites/credentials.ts'
import type { World } from '../suites/fixtures.ts'
import { setScene } from '../suites/scenes.ts'

/** Operations that take a body and show none yet. The list only ever gets shorter. */
const withoutExample: readonly string[] = []

const examples = operations.flatMap((operation) =>
  Object.entries(operation.examples).map(([name, example]) => ({
    name: `${operation.id} ${name}`,
    operation,
    example,
  })),
)

let world: World
beforeAll(async () => {
  const app = await startTestApp({ limits: liftedLimits })
  world = { app, client: openClient(app.url) }
})
afterAll(async () => {
  await world.client.close()
  await world.app.stop()
})

test('every operation that takes a body shows one', () => {
  const missing = operations
    .filter(
      ({ body, examples }) =>
        isObject(body) && !Object.values(examples).some((each) => each.body !== undefined),
    )
    .map(({ id }) => id)
  expect(missing.filter((id) => !withoutExample.includes(id))).toEqual([])
  expect(operations.length).toBeGreaterThan(0)
})

test('each example has a name, says what it does, and is valid by the schema of its operation', () => {
  for (const { name, operation, example } of examples) {
    expect(name).toMatch(/^v1_[a-z_]+ [a-z][a-z0-9_]*$/)
    expect(example.summary, name).toMatch(/^[A-Z].*[^.]$/)
    if (example.body !== undefined) expect(faultsOf(operation.body, example.body), name).toEqual([])
    if (example.query !== undefined) expect(faultsOf(operation.query, example.query), name).toEqual([])
  }
})

function faultsOf(schema: OperationFacts['body'], value: unknown): unknown {
  return schema === undefined
    ? 'the operation has no such section'
    : compileSchema(schema, 'body').errors(value)
}

test.each(examples)(
  '$name is taken by the server, or refused for an object that does not exist',
  async ({ operation, example }) => {
    const owner = ownerOf(await world.app.newAccount(), 'test')
    const answer = await doneMeanwhile(world.app, everyStandIn, async () => {
      const ids = await setScene(operation, world, owner)
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, id: string) => ids[id] ?? '')
      const isFile = operation.content !== undefined
      return world.client.rest({
        method: operation.method,
        path: `${path}${queryOf(example.query)}`,
        key: owner.key,
        headers: {
          ...(operation.method === 'GET' ? {} : { 'idempotency-key': `example-${owner.account.accountId}` }),
          ...(isFile
            ? { 'content-type': example.content ?? Object.keys(operation.content ?? {})[0] ?? '' }
            : {}),
        },
        ...(example.body === undefined
          ? {}
          : { body: isFile ? String(example.body) : JSON.stringify(example.body) }),
      })
    })
    // Ids of an example are nobody's, and what it is about may not be in the state for it: never is the request itself wrong.
    expect([200, 201, 202, 403, 404, 409, 410], answer.text).toContain(answer.status)
  },
)

function queryOf(query: unknown): string {
  const entries = Object.entries(isObject(query) ? query : {}).map(([name, value]) => [name, String(value)])
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`
}
