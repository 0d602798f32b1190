import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/harness/app.ts'
import { operations } from '../../composition.ts'
import type { CallContext } from '../../contract/context.ts'

test('the context of a handler has one shape for all calls: an accessor in it made every request cost half as much again', async () => {
  const seen: CallContext[] = []
  const watched = operations.map((operation) => ({
    ...operation,
    handle: (ctx: CallContext, args: Parameters<typeof operation.handle>[1]) => {
      seen.push(ctx)
      return operation.handle(ctx, args)
    },
  }))
  const app = await startTestApp({ operations: watched })
  try {
    for (const path of ['/v1/profiles', '/v1/policies']) expect((await app.get(path)).status).toBe(200)
  } finally {
    await app.stop()
  }
  const shapes = seen.map((ctx) =>
    Object.entries(Object.getOwnPropertyDescriptors(ctx)).map(([name, it]) => [name, 'value' in it]),
  )
  expect(shapes).toHaveLength(2)
  expect(shapes[1]).toEqual(shapes[0])
  expect(shapes[0]?.filter(([, isPlain]) => !isPlain)).toEqual([])
  // Made only now, when the caller has gone.
  expect(seen[0]?.signal().aborted).toBe(true)
})
