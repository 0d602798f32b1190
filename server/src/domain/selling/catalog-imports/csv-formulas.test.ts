import { expect, test } from 'vitest'
import { guarded, withoutGuard } from './csv-formulas.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['+49 89', "'+49 89"],
  ['-5', "'-5"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', "'\r=1"],
  ["'=1", "''=1"],
  ["''@x", "'''@x"],
])('%j is exported as %j, and read back as it was', (cell, exported) => {
  expect(guarded(cell)).toBe(exported)
  expect(withoutGuard(exported)).toBe(cell)
})

test.each(['', 'Mug', "'", "'tis", "rock 'n' roll", '1-2', 'a=b', ' =1', '"=1"'])(
  '%j stays as it is, both ways',
  (cell) => {
    expect(guarded(cell)).toBe(cell)
    expect(withoutGuard(cell)).toBe(cell)
  },
)
