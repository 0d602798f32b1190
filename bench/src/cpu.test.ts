import { expect, test } from 'vitest'
import { type ProcessTable, spentByServer } from './cpu.ts'

const server = 1

/** A server with three children, of which one ends, and is added to its parent, when the table has been asked so many times. */
function tableWhereOneEnds(afterQuestions: number): ProcessTable & { questions(): number } {
  const living = new Map([
    [2, 500],
    [3, 70],
    [4, 9],
  ])
  let ended = 1000
  let asked = 0
  const question = () => {
    if (asked++ !== afterQuestions) return
    ended += living.get(3) ?? 0
    living.delete(3)
  }
  return {
    pids() {
      question()
      return [server, ...living.keys(), 99]
    },
    spentBy(pid) {
      question()
      if (pid === server) return { parent: 0, own: 20, ended }
      const own = pid === 99 ? 100_000 : living.get(pid)
      return own === undefined ? null : { parent: pid === 99 ? 98 : server, own, ended: 0 }
    },
    questions: () => asked,
  }
}

test('the CPU of a server is the same sum at whatever moment of the reading one of its processes ends', () => {
  const undisturbed = tableWhereOneEnds(Number.POSITIVE_INFINITY)
  expect(spentByServer(server, undisturbed)).toBe(20 + 1000 + 500 + 70 + 9)
  for (let moment = 0; moment < undisturbed.questions(); moment++) {
    expect(spentByServer(server, tableWhereOneEnds(moment)), `after ${moment} questions`).toBe(1599)
  }
})

test('a server that is gone has spent nothing that can be read', () => {
  expect(spentByServer(5, { pids: () => [], spentBy: () => null })).toBe(0)
})
