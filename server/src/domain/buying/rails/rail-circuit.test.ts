import { beforeEach, describe, expect, test } from 'vitest'
import { guardRail } from './guarded-rail.ts'
import type { Call, NotNow, PaymentRail, RailAnswer, RailMemory, RailReading } from './port.ts'
import { circuitPace, RailCircuit } from './rail-circuit.ts'

let nowMs = 0
let happened: string[] = []
let circuit: RailCircuit
beforeEach(() => {
  nowMs = 0
  happened = []
  circuit = newCircuit()
})

function newCircuit(): RailCircuit {
  return new RailCircuit({
    monotonicMs: () => nowMs,
    random: () => 0,
    onOpened: ({ reason, seconds }) => void happened.push(`opened: ${reason}, ${seconds} s`),
    onClosed: ({ openSeconds }) => void happened.push(`closed after ${openSeconds} s`),
  })
}

const works = { kind: 'works' } as const
const fails = (retryAfterSeconds: number | null = null) =>
  ({ kind: 'fails', reason: 'busy', retryAfterSeconds }) as const

function call(key: string, verdict: Parameters<RailCircuit['leave']>[1]): 'made' | 'held back' {
  const pass = circuit.enter(key)
  if (typeof pass === 'number') return 'held back'
  circuit.leave(pass, verdict)
  return 'made'
}

function failSo(often: number, retryAfterSeconds: number | null = null): void {
  for (let index = 0; index < often; index++) call(`k${index}`, fails(retryAfterSeconds))
}

describe('the circuit', () => {
  test('opens after failures of several calls in a row, and not before', () => {
    failSo(circuitPace.failuresMax - 1)
    expect(circuit.heldSeconds()).toBe(0)
    expect(call('last', fails())).toBe('made')
    expect(circuit.heldSeconds()).toBeGreaterThan(0)
    expect(call('more', works)).toBe('held back')
    expect(happened).toEqual(['opened: busy, 5 s'])
  })

  test('does not open for one call that fails again and again, nor where others succeed between', () => {
    for (let index = 0; index < 50; index++) expect(call('poison', fails())).toBe('made')
    call('good', works)
    failSo(circuitPace.failuresMax - 1)
    call('good', works)
    failSo(circuitPace.failuresMax - 1)
    expect(happened).toEqual([])
  })

  test('lets one call find out when its time is over, and closes when that one works', () => {
    failSo(circuitPace.failuresMax)
    nowMs += circuitPace.openSeconds * 1000
    const probe = circuit.enter('probe')
    expect(call('another', works)).toBe('held back')
    if (typeof probe === 'number') throw new Error('nobody may find out')
    circuit.leave(probe, works)
    expect(call('another', works)).toBe('made')
    expect(happened).toEqual(['opened: busy, 5 s', 'closed after 5 s'])
  })

  test('stays open for ever longer while the rail fails, up to a minute', () => {
    failSo(circuitPace.failuresMax)
    const waits = Array.from({ length: 8 }, (_, index) => {
      nowMs += Math.ceil(circuit.heldSeconds() * 1000)
      expect(call(`probe ${index}`, fails())).toBe('made')
      return circuit.heldSeconds()
    })
    expect(waits).toEqual([10, 20, 40, 60, 60, 60, 60, 60])
    expect(happened).toEqual(['opened: busy, 5 s'])
  })

  test.each([
    [120, 120],
    [1, 5],
    [86_400, 900],
  ])('is open for as long as the rail asks (%i s), but never for ever', (asked, seconds) => {
    failSo(1, asked)
    failSo(circuitPace.failuresMax)
    expect(circuit.heldSeconds()).toBe(seconds)
  })

  test('goes on where the call that was to find out is never heard of again', () => {
    failSo(circuitPace.failuresMax)
    nowMs += circuitPace.openSeconds * 1000
    expect(circuit.reserve()).toBe(0)
    expect(circuit.reserve()).toBeGreaterThan(0)
    nowMs += circuitPace.probeSeconds * 1000
    expect(circuit.reserve()).toBe(0)
    expect(typeof circuit.enter('mine')).toBe('object')
    expect(circuit.reserve()).toBeGreaterThan(0)
    nowMs += circuitPace.probeSeconds * 1000
    expect(call('another', works)).toBe('made')
  })

  test('does not take the word of calls that were made before it opened', () => {
    const early = circuit.enter('early')
    failSo(circuitPace.failuresMax)
    if (typeof early === 'number') throw new Error('held back while closed')
    circuit.leave(early, works)
    expect(call('next', works)).toBe('held back')
  })

  test('never sends all that wait back at once', () => {
    let unit = 0
    circuit = new RailCircuit({
      monotonicMs: () => nowMs,
      random: () => (unit = (unit + 0.37) % 1),
      onOpened: () => undefined,
      onClosed: () => undefined,
    })
    failSo(circuitPace.failuresMax)
    const waits = Array.from({ length: 50 }, () => circuit.heldSeconds())
    expect(new Set(waits).size).toBeGreaterThan(40)
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(circuitPace.openSeconds)
  })
})

const at: Call = { mode: 'test', timeoutMs: 1000 }

/** A rail that gives one answer to everything, and counts how often it was called. */
function answering(answer: RailAnswer | RailMemory | RailReading) {
  const calls: string[] = []
  const say = (name: string) => async () => {
    calls.push(name)
    return answer as never // every kind is an answer to some of them, and the guard does not care which
  }
  const rail: PaymentRail = {
    authorize: say('authorize'),
    issueCredential: say('issueCredential'),
    chargeCredential: say('chargeCredential'),
    capture: say('capture'),
    void: say('void'),
    revoke: say('revoke'),
    refund: say('refund'),
    get: say('get'),
    ask: say('ask'),
    close: say('close'),
  }
  return { rail, calls }
}

type Make = (rail: PaymentRail, key: string) => Promise<{ kind: string }>
const all = {
  authorize: (rail, key) => rail.authorize({ key } as never, at),
  issueCredential: (rail, key) => rail.issueCredential({ key } as never, at),
  chargeCredential: (rail, key) => rail.chargeCredential({ key } as never, at),
  capture: (rail, key) => rail.capture({ key, reference: 'r', amount: 1n, currency: 'USD' }, at),
  void: (rail, key) => rail.void({ key, reference: 'r' }, at),
  revoke: (rail, key) => rail.revoke({ key, reference: 'r' }, at),
  refund: (rail, key) => rail.refund({ key, reference: 'r', amount: 1n, currency: 'USD' }, at),
  get: (rail, key) => rail.get('authorization', key, at),
  ask: (rail, key) => rail.ask(key, at),
  close: (rail, key) =>
    rail.close({ step: 'capture', input: { key, reference: 'r', amount: 1n, currency: 'USD' } }, at),
} satisfies Partial<Record<keyof PaymentRail, Make>>
const operations = Object.entries<Make>(all)

const notNow = (reason: NotNow['reason']): NotNow => ({ kind: 'not_now', reason, retryAfterSeconds: null })
const about = {
  rail: ['credentials', 'permission', 'misrouted', 'busy'],
  request: ['no_object', 'not_understood'],
} as const

describe('a rail behind its circuit', () => {
  test.each(operations)('counts and holds back %s', async (_, make) => {
    const { rail, calls } = answering({ kind: 'unknown' })
    const guarded = guardRail(rail, circuit, () => undefined)
    for (let index = 0; index < 8; index++) await make(guarded, `k${index}`)
    expect(calls).toHaveLength(circuitPace.failuresMax)
    expect(await make(guarded, 'k')).toEqual({
      kind: 'not_now',
      reason: 'circuit_open',
      retryAfterSeconds: 5,
    })
  })

  test.each([
    ...about.rail.map((reason) => [notNow(reason), true] as const),
    [{ kind: 'unknown' }, true],
    [{ kind: 'not_sent', retryable: true }, true],
    ...about.request.map((reason) => [notNow(reason), false] as const),
    [{ kind: 'refused', refusal: { code: 'declined', declineCode: null } }, false],
    [{ kind: 'not_found' }, false],
    [{ kind: 'closed' }, false],
    [{ kind: 'pending' }, false],
  ] as const)('that answers %o opens it: %s', async (answer, opens) => {
    const { rail } = answering(answer)
    const guarded = guardRail(rail, circuit, () => undefined)
    for (let index = 0; index < 8; index++) await all.authorize(guarded, `k${index}`)
    expect(circuit.isOpen).toBe(opens)
  })

  test('that throws counts as failing, and is not hidden', async () => {
    const { rail } = answering({ kind: 'unknown' })
    const broken = { ...rail, ask: () => Promise.reject(new Error('a bug')) }
    const guarded = guardRail(broken, circuit, () => undefined)
    for (let index = 0; index < 5; index++)
      await expect(guarded.ask(`k${index}`, at)).rejects.toThrow('a bug')
    expect(circuit.isOpen).toBe(true)
  })

  test('holds no other rail and no other mode up', async () => {
    const failing = guardRail(answering({ kind: 'unknown' }).rail, circuit, () => undefined)
    const good = answering({ kind: 'not_found' })
    const other = guardRail(good.rail, newCircuit(), () => undefined)
    for (let index = 0; index < 8; index++) await all.capture(failing, `k${index}`)
    for (const [name, make] of operations)
      expect([name, await make(other, 'k')]).toEqual([name, { kind: 'not_found' }])
    expect(good.calls).toEqual(operations.map(([name]) => name))
  })

  test('counts what came of each call that changes something', async () => {
    const counted: string[] = []
    const { rail } = answering(notNow('no_object'))
    const guarded = guardRail(rail, circuit, (step, result) => void counted.push(`${step} ${result}`))
    for (const [, make] of operations) await make(guarded, 'k')
    expect(counted).toEqual(
      ['authorize', 'issue_credential', 'charge_credential', 'capture', 'void', 'revoke', 'refund'].map(
        (step) => `${step} not_now`,
      ),
    )
  })
})
