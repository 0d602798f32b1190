import type { ComponentChildren } from 'preact'
import { useCallback, useLayoutEffect, useRef } from 'preact/hooks'
import type { Wall } from '../calls/sign-in.ts'
import { moneyText } from '../money.ts'
import type { ViewProps } from './component-view.ts'
import { Loading, Stopped, Title } from './endings.tsx'
import { SignInForm } from './sign-in/sign-in-form.tsx'
import type { Step } from './sign-in/steps.ts'
import { useSignIn } from './sign-in/use-sign-in.ts'
import type { Words } from './words.ts'

/** A shop wants to know who buys: what a person types for it is sealed here. */
export function MerchantAuthHandoff({ words, session, options, tell, onReady, renew }: ViewProps) {
  const { step, read, submit } = useSignIn({ session, options, tell })
  const { signIn, tryAgain, goOn, sessionOver } = words.sentences
  const isUsable = step.kind !== 'loading' && step.kind !== 'stopped'
  useLayoutEffect(() => {
    if (isUsable) onReady()
  }, [isUsable, onReady])
  const told = useRef(false)
  const onChange = useCallback(
    (complete: boolean) => {
      if (told.current !== complete) tell({ kind: 'change', complete, brand: null })
      told.current = complete
    },
    [tell],
  )
  switch (step.kind) {
    case 'loading':
      return <Loading words={words} />
    case 'stopped':
      return <Stopped message={step.message} words={words} />
    case 'offline':
      return (
        <Ending title={signIn.offline}>
          <button class="button" type="button" onClick={() => void read()}>
            {tryAgain}
          </button>
        </Ending>
      )
    case 'over':
      return (
        <Ending title={sessionOver}>
          <p>{signIn.overText}</p>
          <button class="button" type="button" onClick={() => void renew().then(read)}>
            {goOn}
          </button>
        </Ending>
      )
    case 'ended':
      return <Ended how={step.how} words={words} />
    case 'checking':
      return (
        <section class="form" aria-busy="true">
          <Asking wall={step.wall} words={words} />
          <p class="checking" role="status">
            <span class="spinner" aria-hidden="true" />
            {signIn.checking(step.wall.host)}
          </p>
        </section>
      )
    default:
      return (
        <section class="form">
          <Asking wall={step.wall} words={words} />
          <SignInForm
            // Another question is another form.
            key={`${step.wall.cartId} ${step.wall.asks}`}
            words={words}
            wall={step.wall}
            notice={step.kind === 'form' ? step.notice : null}
            isBusy={step.kind === 'sealing'}
            onChange={onChange}
            onSubmit={(typed) => void submit(step.wall, typed)}
          />
        </section>
      )
  }
}

/** Who asks, in letters that nobody overlooks, and what for. */
function Asking({ wall, words }: { readonly wall: Wall; readonly words: Words }) {
  const { signIn } = words.sentences
  const bought = wall.items.map(({ name, quantity }) => isolated(`${quantity} × ${name}`)).join(', ')
  return (
    <div class="asking">
      <p class="hint">{wall.asks === 'code' ? signIn.codeFrom : signIn.at}</p>
      <h1 class="host" dir="ltr">
        {wall.host}
      </h1>
      <p>{wall.asks === 'code' ? signIn.codeText : signIn.text}</p>
      <p class="hint">{signIn.buying(bought, moneyText(wall.cap, wall.currency, words.language))}</p>
    </div>
  )
}

/** Whichever way a name is written, what stands beside it keeps its place. */
const isolated = (text: string) => `\u2068${text}\u2069`

type How = Extract<Step, { kind: 'ended' }>['how']

function Ended({ how, words }: { readonly how: How; readonly words: Words }) {
  const { signIn } = words.sentences
  const [title, text] = {
    signed_in: [signIn.done, signIn.doneText],
    minted: [signIn.minted, signIn.mintedText],
    gone: [signIn.gone, signIn.goneText],
  }[how]
  return (
    <Ending title={title} isGood={how !== 'gone'}>
      <p>{text}</p>
    </Ending>
  )
}

type EndingProps = {
  readonly title: string | undefined
  readonly isGood?: boolean
  readonly children: ComponentChildren
}

function Ending({ title, isGood = false, children }: EndingProps) {
  return (
    <section class="form ending">
      <Title>
        {isGood ? (
          <span class="mark" aria-hidden="true">
            ✓
          </span>
        ) : null}
        {title}
      </Title>
      {children}
    </section>
  )
}
