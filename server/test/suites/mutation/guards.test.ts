import { expect, test } from 'vitest'
import { type Guard, missedBeside, missedBy, without } from './guard.ts'
import { listed, sources } from './guards.ts'
import { faultsOf, placed } from './marks.ts'
import { migrationGuards } from './migrations.ts'
import { plantedEntries } from './planted.ts'

test('every mark in the program is listed, every entry is marked, once, and can be taken away, and its tests are there', () => {
  expect(faultsOf([...listed, ...plantedEntries], migrationGuards, sources)).toEqual([])
})

const program = `export function mayPay(cap: bigint, total: bigint): boolean {
  // guard below-zero: nothing is paid for less than nothing
  // guard below-the-cap: nothing is paid above the cap
  if (total < 0n || total > cap) return false
  return true
}
`

const small = new Map([
  ['src/pay.ts', program],
  ['src/pay.test.ts', ''],
])

function faultsIn(entries: Parameters<typeof missedBeside>[0], text = program): string[] {
  return faultsOf(missedBeside(entries), [], new Map([...small, ['src/pay.ts', text]]))
}

const ofBelowZero = ['total < 0n || '] as const

test('a guard is taken away from what stands behind its mark', () => {
  function taken(entries: Parameters<typeof missedBeside>[0]): string {
    const [guard] = placed(missedBeside(entries), small)
    return without(guard as Guard, program)
  }
  expect(taken({ 'below-zero': ofBelowZero })).toBe(program.replace('total < 0n || ', ''))
  expect(taken({ 'below-zero': 'never' })).toBe(program.replace('total < 0n || total > cap', 'false'))
  expect(taken({ 'below-the-cap': 'always' })).toBe(program.replace('total < 0n || total > cap', 'true'))
  expect(taken({ 'below-the-cap': 'gone' })).toBe(
    program.replace('if (total < 0n || total > cap) return false', ''),
  )
  expect(placed(missedBeside({ 'below-zero': 'gone' }), small)).toMatchObject([
    { file: 'src/pay.ts', keeps: 'nothing is paid for less than nothing', killers: ['src/pay.test.ts'] },
  ])
})

test('a mark without an entry, an entry without a mark, and one that does not fit are faults that say what to do', () => {
  const both = { 'below-zero': ofBelowZero, 'below-the-cap': 'never' } as const
  expect(faultsIn(both)).toEqual([])
  expect(faultsIn({ 'below-zero': ofBelowZero })).toEqual([
    'guard below-the-cap of src/pay.ts is not listed: say in server/test/suites/mutation how it is taken away',
  ])
  expect(faultsIn({ ...both, 'in-time': 'gone' })).toEqual([
    'guard in-time is marked nowhere: put `// guard in-time: what it keeps` above it, or remove its entry',
  ])
  expect(faultsIn({ ...both, 'below-zero': ['total <= 0n'] })).toEqual([
    'guard below-zero in src/pay.ts: this text has to stand there exactly once, or its entry another one: total <= 0n',
  ])
  expect(faultsIn({ ...both, 'below-zero': ['total'] })).toHaveLength(1)
  expect(faultsIn(both, program.replace(/if .*/, 'pay(total)'))).toEqual([
    'guard below-zero in src/pay.ts: this text has to stand there exactly once, or its entry another one: total < 0n || ',
    'guard below-the-cap in src/pay.ts: behind its mark stands neither an if nor a value, which "never" needs',
  ])
  expect(faultsIn(both, program.replace('the-cap:', 'the-cap'))).toContain(
    'src/pay.ts: a mark is a line of its own, `// guard NAME: what it keeps`',
  )
  expect(faultsIn(both, program + program)).toHaveLength(2)
  expect(faultsOf(missedBy(['src/gone.test.ts'], both), [], small)).toHaveLength(2)
  expect(faultsOf([...missedBeside(both), ...missedBeside(both)], [], small)).toEqual([
    'guard below-zero is listed twice',
    'guard below-the-cap is listed twice',
  ])
})
