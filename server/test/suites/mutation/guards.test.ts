import { expect, test } from 'vitest'
import { faultsOf } from '../mutation.ts'
import { guards } from './guards.ts'

test('the text of every guard stands where it says, once, and its tests are there', () => {
  expect(faultsOf(guards)).toEqual([])
})
