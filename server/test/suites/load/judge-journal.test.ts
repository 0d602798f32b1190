import { expect, test } from 'vitest'
import { judgeJournal, type StoredFacts } from './judge-journal.ts'
import type { Deed, JournalLine } from './synced-journal.ts'

const at = '2030-01-01T00:00:00Z'
function ask(name: string, deed: Deed, target: string | null = null): JournalLine {
  return { kind: 'asked', at, name, deed, wish: 1, target }
}
function answer(
  name: string,
  deed: Deed,
  told: { status?: number; id?: string; code?: string } = {},
): JournalLine {
  const { status = 200, id = null, code = null } = told
  return { kind: 'answered', at, name, deed, wish: 1, status, id, code, tries: 1, told: null }
}

const lines = [
  ask('create-1', 'create'),
  answer('create-1', 'create', { id: 'pi_1' }),
  answer('create-1', 'create', { id: 'pi_1' }),
  ask('approve-1', 'approve', 'pi_1'),
  answer('approve-1', 'approve', { id: 'pi_1' }),
  ask('cancel-1', 'cancel', 'pi_1'),
  answer('cancel-1', 'cancel', { status: 409, code: 'not_cancellable' }),
  ask('profile-1', 'profile'),
  answer('profile-1', 'profile', { id: 'prof_1' }),
]
const created = 'purchase_intent.created'
const approved = 'purchase_intent.approved'
const facts = (
  purchases: Record<string, { id: string; events: string[] }[]>,
  profiles = ['prof_1'],
): StoredFacts => ({
  purchases: new Map(Object.entries(purchases)),
  profiles: new Set(profiles),
  quotes: [],
  orders: [],
})
const whole = facts({ 'wish-1': [{ id: 'pi_1', events: [created, approved] }] })
const broken = (journal: readonly JournalLine[], stored: StoredFacts) =>
  judgeJournal(journal, stored).flatMap(({ id, violations }) =>
    violations.map((violation) => `${id}: ${violation}`),
  )

test('a service that kept every answer breaks no invariant', () => {
  expect(broken(lines, whole)).toEqual([])
  expect(judgeJournal(lines, whole).map(({ checked }) => checked)).toEqual([4, 4, 4])
})

test('an acknowledged purchase, approval, cancel or profile that is not there is a lost write', () => {
  expect(broken(lines, facts({}))).toEqual([
    'W1: pi_1 of create-1 is gone',
    'W1: pi_1 of create-1 is gone',
    'W1: pi_1 of approve-1 is gone',
  ])
  expect(broken(lines, facts({ 'wish-1': [{ id: 'pi_1', events: [created] }] }))).toEqual([
    `W1: pi_1 was told approve and shows no ${approved}`,
  ])
  const cancelled = lines.map((line) =>
    line.kind === 'answered' && line.deed === 'cancel' ? { ...line, status: 200 } : line,
  )
  expect(broken(cancelled, whole)).toEqual([
    'W1: pi_1 was told cancel and shows no purchase_intent.cancelled',
  ])
  expect(broken(lines, facts({ 'wish-1': [{ id: 'pi_1', events: [created, approved] }] }, []))).toEqual([
    'W1: prof_1 of profile-1 is gone',
  ])
})

test('two objects for one request are found, whether or not both were answered', () => {
  const told = [...lines, answer('create-1', 'create', { id: 'pi_2' })]
  const events = [created, approved]
  expect(
    broken(told, facts({ 'wish-1': [{ id: 'pi_1', events }], 'wish-2': [{ id: 'pi_2', events }] })),
  ).toEqual(['W5: create-1 was told pi_1 and pi_2'])
  const silent = facts({
    'wish-1': [
      { id: 'pi_1', events },
      { id: 'pi_9', events: [] },
    ],
  })
  expect(broken(lines, silent)).toEqual(['W5: wish-1 made pi_1 and pi_9'])
})

test('requests that were never answered, and unfair refusals, are found', () => {
  expect(broken([...lines, ask('create-2', 'create')], whole)).toEqual([
    'W2-answers: create-2 never got a word',
  ])
  const refused = answer('create-2', 'create', { status: 404, code: 'not_found' })
  expect(broken([...lines, ask('create-2', 'create'), refused], whole)).toEqual([
    'W2-answers: create-2 was refused with 404 not_found',
  ])
})
