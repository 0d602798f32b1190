import { beforeEach, expect, test } from 'vitest'
import { circuitPace, SourceCircuit } from './source-circuit.ts'

let nowMs = 0
let circuit: SourceCircuit
beforeEach(() => {
  nowMs = 0
  circuit = new SourceCircuit(() => nowMs)
})

function ask(id: string, hasAnswered: boolean): 'asked' | 'left out' {
  if (!circuit.enter(id)) return 'left out'
  circuit.leave(id, hasAnswered)
  return 'asked'
}

function failSo(often: number, id = 'a'): void {
  for (let count = 0; count < often; count++) ask(id, false)
}

test('a source that fails a few times in a row is left out, and others are not', () => {
  failSo(circuitPace.failuresMax - 1)
  expect(ask('a', false)).toBe('asked')
  expect([ask('a', true), ask('b', true)]).toEqual(['left out', 'asked'])
})

test('an answer between failures forgets them', () => {
  failSo(circuitPace.failuresMax - 1)
  ask('a', true)
  failSo(circuitPace.failuresMax - 1)
  expect(ask('a', true)).toBe('asked')
})

test('when the time is over one question finds out, and the others wait for it', () => {
  failSo(circuitPace.failuresMax)
  nowMs += circuitPace.openMs - 1
  expect(ask('a', true)).toBe('left out')
  nowMs += 1
  expect([circuit.enter('a'), circuit.enter('a')]).toEqual([true, false])
  circuit.leave('a', true)
  expect([circuit.enter('a'), circuit.enter('a')]).toEqual([true, true])
})

test('who goes on failing is left out for ever longer, up to ten minutes', () => {
  failSo(circuitPace.failuresMax)
  const waits = Array.from({ length: 7 }, () => {
    const beganMs = nowMs
    while (!circuit.enter('a')) nowMs += 1_000
    circuit.leave('a', false)
    return nowMs - beganMs
  })
  expect(waits).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000])
})

test('only so many failing sources are remembered, the latest', () => {
  failSo(circuitPace.failuresMax, 'first')
  for (let index = 0; index < circuitPace.sourcesMax; index++) failSo(circuitPace.failuresMax, `s${index}`)
  expect(ask('first', true)).toBe('asked')
  expect(ask('s0', true)).toBe('left out')
})
