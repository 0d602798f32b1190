import type { Tally } from '../suite.ts'
import type { Service } from '../whole-product.ts'
import { type SignedAnswer, sendSigned, told } from './signed.ts'

/** One fault of an answer: its refusal while every later fault is there too, and the change that mends it. */
type Rung = { fault: string; refusal: string; mend: Partial<SignedAnswer> | (() => Promise<unknown>) }

type Climb = {
  service: Service
  tally: Tally
  /** The object of the answer, for messages of failures. */
  what: string
  /** With all its faults. */
  worst: SignedAnswer
  rungs: readonly Rung[]
}

/**
 * Sends an answer that is wrong in every way, and mends one fault at a time. Each time the refusal must name the first fault that is
 * left, which shows the order of the checks. Without faults the answer is taken.
 */
export async function climb({ service, tally, what, worst, rungs }: Climb): Promise<void> {
  let answer = worst
  for (const { fault, refusal, mend } of rungs) {
    const said = told(await sendSigned(service, answer))
    if (said.startsWith(refusal)) tally.pass()
    else tally.fail(`answer to ${what} with ${fault} was answered ${said}, not ${refusal}`)
    if (typeof mend === 'function') await mend()
    else answer = { ...answer, ...mend }
  }
  const said = told(await sendSigned(service, answer))
  if (said === '200') tally.pass()
  else tally.fail(`answer to ${what} was answered ${said} when nothing was wrong with it any more`)
}

/** Faults that are found before the object of the answer is known: the same for orders and for quotes. */
export function doorRungs(
  right: SignedAnswer,
  { refused, authorize }: { refused: string; authorize: () => Promise<unknown> },
): Rung[] {
  return [
    { fault: 'a body beyond the limit', refusal: '413 ', mend: { raw: refused } },
    { fault: 'no destination', refusal: `${invalid} Send the header`, mend: { destination: nobody } },
    {
      fault: 'an unknown destination',
      refusal: `${invalid} service-destination-id does not name`,
      mend: { destination: right.destination },
    },
    { fault: 'an old timestamp', refusal: `${invalid} The signature's timestamp`, mend: { ageSeconds: 0 } },
    {
      fault: 'a wrong secret',
      refusal: `${invalid} The signature does not match`,
      mend: { secret: right.secret },
    },
    { fault: 'another type echoed', refusal: `${invalid} The echoed headers`, mend: { type: right.type } },
    {
      fault: 'the event of another object',
      refusal: `${invalid} The event is about a different object`,
      mend: { event: right.event },
    },
    { fault: 'no authority', refusal: '403 response_not_authorized', mend: authorize },
  ]
}

/** An answer with all faults. `other` is an event of another object that this destination received. */
export function worstOf(right: SignedAnswer, other: { event: string; type: string }): SignedAnswer {
  return {
    ...right,
    raw: ' '.repeat(300_000),
    destination: null,
    ageSeconds: 90,
    secret: 'whsec_of_somebody_else',
    event: other.event,
    type: other.type,
  }
}

const invalid = '401 signature_invalid'
const nobody = 'dest_01jb2w9m4ye6xs3kq8t7v5c0zd'
