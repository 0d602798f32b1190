import { useEffect, useRef, useState } from 'preact/hooks'
import type { Outcome } from '../../calls/call.ts'
import { createSignInCalls, isOvertaken, type Standing, type Typed, type Wall } from '../../calls/sign-in.ts'
import type { ViewProps } from '../component-view.ts'
import { toldError } from '../told-error.ts'
import { type Step, stepAfterFailing, stepAfterReading, stepAtWall } from './steps.ts'

type Failure = Exclude<Outcome<unknown>, { kind: 'done' }>
type Given = Pick<ViewProps, 'session' | 'options' | 'tell'>

/** The way of what is typed: sealed, left with the vault, used for the purchase, and what the shop says to it. */
export function useSignIn({ session, options, tell }: Given) {
  const [calls] = useState(() => createSignInCalls(session))
  const [step, setStep] = useState<Step>({ kind: 'loading' })
  const isGone = useRef(false)

  async function read(): Promise<void> {
    const standing = await calls.standing(null)
    tellError(standing)
    setStep(stepAfterReading(standing))
  }
  useEffect(() => {
    void read()
    return () => {
      isGone.current = true
    }
  }, [])

  function tellError(outcome: Outcome<unknown>): void {
    const error = toldError(outcome)
    if (error !== null) tell(error)
  }

  async function failed(wall: Wall, outcome: Failure): Promise<void> {
    if (outcome.kind === 'refused' && isOvertaken(outcome)) {
      // What is asked for has changed meanwhile: the purchase knows.
      const standing = await calls.standing(wall.cartId)
      if (standing.kind === 'done') return follow(wall, standing.value)
    }
    tellError(outcome)
    setStep(stepAfterFailing(wall, outcome))
  }

  /** `typed` is emptied by whoever calls it as soon as this has sealed it. */
  async function submit(wall: Wall, typed: Typed): Promise<void> {
    setStep({ kind: 'sealing', wall })
    const minted = await calls.mint(wall, typed)
    if (minted.kind === 'not_sealed') return setStep({ kind: 'form', wall, notice: { about: 'not_sealed' } })
    if (minted.kind !== 'done') return failed(wall, minted)
    const credential_ticket_id = minted.value
    if (options.settings.deferRetry === true) {
      tell({ kind: 'complete', result: { credential_ticket_id, status: 'minted' } })
      return setStep({ kind: 'ended', how: 'minted' })
    }
    const submitted = await calls.submit(credential_ticket_id, wall.cartId)
    if (submitted.kind !== 'done') return failed(wall, submitted)
    tell({ kind: 'complete', result: { credential_ticket_id, status: 'submitted' } })
    await follow(wall, submitted.value)
  }

  /** Until the shop has said something to what was typed. */
  async function follow(wall: Wall, from: Standing): Promise<void> {
    for (let standing = from; !isGone.current; ) {
      const { state } = standing
      if (state.kind === 'wall') return setStep(stepAtWall(state, wall))
      if (state.kind !== 'checking')
        return setStep({ kind: 'ended', how: state.kind === 'over' ? 'gone' : 'signed_in' })
      setStep({ kind: 'checking', wall })
      const next = await calls.next(standing, wall.cartId)
      if (next.kind === 'refused') return failed(wall, next)
      // A server that answers at once is not asked without a pause.
      if (next.kind === 'no_answer' || next.value.sequence === standing.sequence) await pause()
      if (next.kind === 'done') standing = next.value
    }
  }

  return { step, read, submit }
}

const pauseMs = 1_000

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, pauseMs))
}
