import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { workspaces } from '../workspaces.ts'
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

/** `test(…, 60_000)` and `expect.poll(…)`: a limit that a busy machine breaks. */
const fixedLimit = /^\s*\},? [\d_]{4,}\)$|\btimeout: [\d_]{3,}/

test('no test has a limit of its own in milliseconds: waits follow the machine, in vitest.config.ts and by patientMs', () => {
  const root = join(import.meta.dirname, '../../..')
  const folders = workspaces.flatMap((name) => [`${name}/src`, `${name}/test`])
  const files = folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter(
          (name) => name.endsWith('.test.ts') || (folder === 'server/test' && name.startsWith('harness')),
        )
        .filter((name) => name.endsWith('.ts'))
        .map((name) => join(folder, name)),
    )
  const fixed = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (fixedLimit.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  )
  expect(files.length).toBeGreaterThan(200)
  expect(fixed).toEqual([])
  const planted = [`}, ${'60_000'})`, `  .poll(read, { timeout: ${'1000'} })`]
  expect(planted.every((line) => fixedLimit.test(line))).toBe(true)
})
