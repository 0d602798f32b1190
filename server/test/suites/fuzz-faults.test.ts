import { expect, test } from 'vitest'
import { operations, product } from '../../src/composition.ts'
import { openApiDocument } from '../../src/contract/openapi.ts'
import { plantFaults } from './fuzz-faults.ts'

/** With the first two, a fault stands in a schema that two operations share. */
const seeds = [1, 211_289_866, 2, 3, 4]

test.each(seeds)('operations with the faults of seed %s can be documented', (seed) => {
  const planted = plantFaults(operations, seed)
  expect(planted.faults.length).toBeGreaterThan(6)
  expect(Object.keys(openApiDocument(planted.operations, product)).length).toBeGreaterThan(0)
})
