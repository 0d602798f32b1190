import { expect, test } from 'vitest'
import { measurePace, patience, patientMs } from './pace.ts'

function machine() {
  const state = { pace: 1, nowMs: 0, measured: 0 }
  const means = {
    nowMs: () => state.nowMs,
    measure: () => {
      state.measured += 1
      return state.pace
    },
  }
  return { state, means }
}

test('on a quiet machine a wait ends at its limit', () => {
  const { state, means } = machine()
  const wait = patience(10_000, means)
  state.nowMs = 10_000
  expect(wait.isOver()).toBe(false)
  state.nowMs = 10_001
  expect(wait.isOver()).toBe(true)
})

test('on a busy machine a wait ends later by the same factor, also when the machine was busy for only a part of it', () => {
  const { state, means } = machine()
  const wait = patience(10_000, means)
  state.nowMs = 5_000
  state.pace = 4
  expect(wait.isOver()).toBe(false)
  state.pace = 1
  state.nowMs = 39_999
  expect(wait.isOver()).toBe(false)
  state.nowMs = 40_001
  expect(wait.isOver()).toBe(true)
})

test('many questions in a short time are answered by one measure', () => {
  const { state, means } = machine()
  const wait = patience(10_000, means)
  for (; state.nowMs < 9_000; state.nowMs += 10) wait.isOver()
  expect(state.measured).toBeLessThan(6)
})

test('a pace is at least that of a quiet machine, and at most a fixed maximum', () => {
  expect(measurePace()).toBeGreaterThanOrEqual(1)
  expect(measurePace()).toBeLessThanOrEqual(30)
  expect(patientMs(100)).toBeGreaterThanOrEqual(100)
})
