import type { Call, DisputeReading, HoldAnswer, NotNow, PaymentRail, RailReading, Recalled } from './port.ts'
import type { RailCircuit, Verdict } from './rail-circuit.ts'

type Said = HoldAnswer | Recalled | RailReading | DisputeReading

type Changing = (input: { readonly key: string }, call: Call) => Promise<HoldAnswer>

/**
 * A rail behind its circuit breaker. A call that is held back gets the same answer as a call that was turned away: it is certain that
 * nothing happened. `count` gets the result of each call that changes something.
 */
export function guardRail(
  rail: PaymentRail,
  circuit: RailCircuit,
  count: (step: string, result: HoldAnswer['kind']) => void,
): PaymentRail {
  async function guarded<S extends Said>(key: string, make: () => Promise<S>): Promise<S | NotNow> {
    const pass = circuit.enter(key)
    // guard held-back-calls-are-not-made: while the circuit is open the rail is not called
    if (typeof pass === 'number')
      return { kind: 'not_now', reason: 'circuit_open', retryAfterSeconds: Math.ceil(pass) }
    let verdict: Verdict = { kind: 'fails', reason: 'thrown', retryAfterSeconds: null }
    try {
      const said = await make()
      verdict = verdictOf(said)
      return said
    } finally {
      circuit.leave(pass, verdict)
    }
  }

  function changing(method: string, make: Changing): Changing {
    const step = method.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    return async (input, call) => {
      const answer = await guarded(input.key, () => make(input, call))
      count(step, answer.kind)
      return answer
    }
  }

  const { list, listMovements, listEvents, readFunds, readHolder, readDispute, get, ask, close, ...others } =
    rail
  // All others change something under a key.
  const changes = Object.entries(others).map(([method, make]) => [method, changing(method, make as Changing)])
  return {
    ...(Object.fromEntries(changes) as typeof others), // with the same answers, and calls that are held back
    ...(list ? { list } : {}),
    ...(listMovements ? { listMovements } : {}),
    ...(readFunds ? { readFunds } : {}),
    ...(readHolder ? { readHolder } : {}),
    ...(listEvents ? { listEvents } : {}),
    ...(readDispute
      ? { readDispute: (id: string, call: Call) => guarded(id, () => readDispute(id, call)) }
      : {}),
    get: (kind, reference, call) => guarded(reference, () => get(kind, reference, call)),
    ask: (key, call, sent) => guarded(key, () => ask(key, call, sent)),
    close: (sent, call) => guarded(sent.input.key, () => close(sent, call)),
  }
}

/**
 * What an answer says about the rail as a whole. If the rail does not know or understand something, that concerns the one request only.
 */
function verdictOf(said: Said | { kind: 'not_sent' }): Verdict {
  switch (said.kind) {
    case 'done':
    case 'refused':
    case 'pending':
    case 'not_found':
    case 'closed':
    case 'needs_person':
      return { kind: 'works' }
    case 'not_sent':
    case 'unknown':
      return { kind: 'fails', reason: said.kind, retryAfterSeconds: null }
    case 'not_now': {
      const { reason, retryAfterSeconds } = said
      if (reason === 'no_object' || reason === 'not_understood') return { kind: 'works' }
      return { kind: 'fails', reason, retryAfterSeconds }
    }
    default:
      return said satisfies never
  }
}
