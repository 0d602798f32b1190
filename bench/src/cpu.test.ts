import { expect, test } from 'vitest'
import { type ProcessTable, spentByServer, spentByTree } from './cpu.ts'

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

/** A role (1) with a browser (2), its zygote (3) and two pages of that (4, 5). One page ends when so many questions were asked. */
function treeWhereOneEnds(afterQuestions: number): ProcessTable & { questions(): number } {
  const parents = new Map([
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 3],
    [5, 3],
    [9, 0],
  ])
  const own = new Map([
    [1, 1],
    [2, 20],
    [3, 300],
    [4, 4_000],
    [5, 50_000],
    [9, 600_000],
  ])
  let ended = 0
  let asked = 0
  const question = () => {
    if (asked++ !== afterQuestions) return
    ended += own.get(4) ?? 0
    parents.delete(4)
  }
  return {
    pids() {
      question()
      return [...parents.keys()]
    },
    spentBy(pid) {
      question()
      const parent = parents.get(pid)
      return parent === undefined ? null : { parent, own: own.get(pid) ?? 0, ended: pid === 3 ? ended : 0 }
    },
    questions: () => asked,
  }
}

test('the CPU of a tree is the same sum at whatever moment of the reading one of its processes ends', () => {
  const undisturbed = treeWhereOneEnds(Number.POSITIVE_INFINITY)
  expect(spentByTree(1, undisturbed)).toBe(54_321)
  for (let moment = 0; moment < undisturbed.questions(); moment++)
    expect(spentByTree(1, treeWhereOneEnds(moment)), `after ${moment} questions`).toBe(54_321)
})

test('a tree whose root is gone has spent nothing that can be read', () => {
  expect(spentByTree(5, { pids: () => [], spentBy: () => null })).toBe(0)
})
