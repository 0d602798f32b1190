import { expect, test } from 'vitest'
import { faultsOf } from '../mutation.ts'
import { guards } from './guards.ts'
import { planted } from './planted.ts'

test('the text of every guard, and of every planted case, stands where it says, once, and its tests are there', () => {
  expect(faultsOf([...guards, ...planted.map(({ guard }) => guard)])).toEqual([])
})
