import { assertHasRail, attemptsAtRails, type CartState, read, type Turn, wayFor } from './cart-state.ts'
import { decideStep } from './decide-step.ts'
import { placedHere } from './effects/place.ts'
import { followHold } from './follow-hold.ts'
import { followPerson } from './follow-person.ts'
import { hear, hearOrder } from './hear.ts'
import type { Answered, Done, Input } from './messages.ts'
import { lacksKeptAnswers } from './offer/ask-buyer.ts'
import { hearOffer, hearQuestion } from './offer/hear-offer.ts'
import { giveUpRoute, lacksRoute, routeAnew } from './offer/reroute.ts'
import { lacksNews, withNews } from './place/note-refunds.ts'
import { lacksStrangerOrder, orderAtStranger } from './place/order-at-stranger.ts'
import { lacksTokenOrder, withTokenOrder } from './place/token-order.ts'
import { takeStep } from './take-step.ts'

/** Each of them changes what the next one sees; a bound keeps a bug from looping under the locks. */
const movesMax = 40

/**
 * The whole way of a cart: what follows from an input, until a call must be made, a command is needed, or the cart must wait. Nothing is
 * awaited and nothing is written here.
 */
export function advance(state: CartState, input: Input): Required<Turn> {
  let turn = take(state, input)
  for (let moves = 0; moves <= movesMax; moves++) {
    if (turn.next) return { state: turn.state, next: turn.next }
    turn = goOn(turn.state)
  }
  throw new Error('a cart decides without getting on')
}

function take(state: CartState, input: Input): Turn {
  switch (input.kind) {
    case 'looked':
      return { state }
    case 'answered':
      return { state: { ...state, unheard: input.answer } }
    case 'done':
      return hearCommand(state, input.done)
    default:
      return input satisfies never
  }
}

/** What comes first: the answer, then what has to be known, then a decision. */
function goOn(state: CartState): Turn {
  if (state.unheard) return hearCall(state, state.unheard)
  const { charges = [] } = state.known
  if (charges.length > 0)
    return { state, next: { kind: 'command', command: { kind: 'compare_charges', charges } } }
  if (lacksRoute(state)) return read(state, 'site')
  if (wayFor(state) === null) {
    // The cart continues in a process that has the means.
    if (isRerouted(state)) return { state, next: { kind: 'yield' } }
    // guard missing-means-decide-nothing: a worker without the means ends no purchase
    throw new Error(`this worker has no means for a cart of ${state.cart.channel}`)
  }
  // guard missing-rail-decides-nothing: a worker that cannot call the rail with the money decides nothing about it
  for (const attempt of attemptsAtRails(state)) assertHasRail(state, attempt)
  if (lacksNews(state)) return read(state, 'news')
  if (lacksTokenOrder(state)) return read(state, 'tokenOrder')
  if (lacksStrangerOrder(state)) return orderAtStranger(state)
  const asking = followHold(followPerson(state))
  return takeStep(asking, decideStep(asking))
}

function isRerouted({ sayings }: CartState): boolean {
  return sayings.some(({ cart }) => cart.channel !== undefined)
}

function hearCall(before: CartState, answered: Answered): Turn {
  const state = { ...before, unheard: null }
  switch (answered.kind) {
    case 'elsewhere':
      return answered.page && state.known.moreHosts === undefined
        ? read(before, 'moreHosts')
        : giveUpRoute(state, answered)
    case 'funds':
      return { state: learn(state, { funds: { amount: answered.amount, readAt: answered.at } }) }
    case 'offer':
      return lacksKeptAnswers(state, answered.answer)
        ? read(before, 'keptAnswers')
        : hearOffer(state, answered.answer)
    default:
      return { state: hear(state, answered) }
  }
}

function hearCommand(before: CartState, done: Done): Turn {
  switch (done.kind) {
    case 'read':
      return { state: learn(before, done.facts) }
    case 'offer':
      return hearOffer(learn(before, done.facts), done.answer)
    case 'place':
      return { state: placedHere(before, done.answer) }
    case 'read_order':
      return { state: hearOrder({ ...before, isAsked: true }, done) }
    case 'open_card':
      return { state: learn(before, { card: done.card }) }
    case 'compare_charges':
      return { state: learn(before, { charges: [], foreignCharge: done.foreign }) }
    case 'propose_price':
      return hearQuestion(before, done)
    default:
      return done satisfies never
  }
}

function learn(before: CartState, facts: Partial<CartState['known']>): CartState {
  const state = { ...before, known: { ...before.known, ...facts } }
  if (facts.site !== undefined) return routeAnew(state)
  if (facts.tokenOrder !== undefined) return withTokenOrder(state, facts.tokenOrder)
  return facts.news === undefined ? state : withNews(state, facts.news)
}
