import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkOverSeeds } from './self-check.ts'
import { createTally } from './suite.ts'

const name = 'test-of-self-checks'
const none = { adminUrl: '', template: '' }
const options = { ...{ name, server: none, size: 'gate' as const, only: null, from: null }, seed: 5 }

afterAll(() =>
  rmSync(join(import.meta.dirname, `../../../.tmp/suites/passes/${name}-self-check.json`), { force: true }),
)

test('each seed is one check, and a seed under which a planted fault was not noticed is named', async () => {
  const tally = createTally()
  const seen: number[] = []
  const load =
    async () =>
    async ({ seed, tally: own }: { seed: number; tally: typeof tally }) => {
      seen.push(seed)
      if (seed === 7) own.fail('the planted fault was not found: a bound')
      else own.pass(3)
    }
  await checkOverSeeds({ about: '', load }, { ...options, seeds: 4, tally })
  expect(seen).toEqual([5, 6, 7, 8])
  expect([tally.passed, tally.failed]).toEqual([3, 1])
  expect(tally.failures).toEqual(['seed 7: the planted fault was not found: a bound'])
})

test('a seed that planted nothing, or that broke off, has failed', async () => {
  const tally = createTally()
  const load =
    async () =>
    async ({ seed }: { seed: number }) => {
      if (seed === 206) throw new Error('no server')
    }
  await checkOverSeeds({ about: '', load }, { ...options, name: `${name}`, seed: 105, seeds: 1, tally })
  await checkOverSeeds({ about: '', load }, { ...options, name: `${name}`, seed: 206, seeds: 1, tally })
  expect([tally.passed, tally.failed]).toEqual([0, 2])
})
