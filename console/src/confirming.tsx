import { type ReactNode, useEffect, useRef, useState } from 'react'
import { moneyText } from '../../elements/frame/src/money.ts'
import { Refusal, type Request, type StepUp } from './api.ts'
import { type Calls, CallsContext } from './calls.ts'
import { confirmation } from './passkeys.ts'
import { usePressing } from './pressing.ts'
import { ProblemText } from './problem.tsx'
import { useLanguage, useWords } from './words.ts'

type Ask = Calls['ask']
type Asking = { readonly stepUp: StepUp; readonly answer: (header: string | null) => void }

/** Shows the terms of what a person has to confirm, and sends their call again with what their passkey has signed. */
export function Confirming({ ask, scope, children }: { ask: Ask; scope: string; children: ReactNode }) {
  const [asking, setAsking] = useState<Asking | null>(null)
  const confirm: Calls['confirm'] = async <Answer,>(request: Request) => {
    try {
      return await ask<Answer>(request)
    } catch (error) {
      if (!(error instanceof Refusal) || error.stepUp === null) throw error
      const { stepUp } = error
      const confirmed = await new Promise<string | null>((answer) => setAsking({ stepUp, answer }))
      setAsking(null)
      return confirmed === null ? null : await ask<Answer>({ ...request, confirmed })
    }
  }
  return (
    <CallsContext value={{ ask, scope, confirm }}>
      {children}
      {asking && <ConfirmDialog {...asking} />}
    </CallsContext>
  )
}

function ConfirmDialog({ stepUp, answer }: Asking) {
  const words = useWords()
  const dialog = useRef<HTMLDialogElement>(null)
  const { isBusy, error, press } = usePressing()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-labelledby="confirm-title" onClose={() => answer(null)}>
      <h2 id="confirm-title">{words.confirm}</h2>
      <Terms terms={stepUp.terms} />
      <ProblemText error={error} />
      <div className="answers">
        <button
          type="button"
          className="button main"
          disabled={isBusy}
          onClick={() => void press(async () => answer(await confirmation(stepUp)))}
        >
          {words.confirmWith}
        </button>
        <button type="button" className="button" disabled={isBusy} onClick={() => answer(null)}>
          {words.cancel}
        </button>
      </div>
    </dialog>
  )
}

/** What is signed, as the server says it. */
function Terms({ terms: { what, ...terms } }: { readonly terms: StepUp['terms'] }) {
  const words = useWords()
  const language = useLanguage()
  if (what === 'purchase_approved') {
    const { items, currency, max_allowed_amount: cap } = terms
    return (
      <>
        <p>{words.terms.purchase_approved}</p>
        <ul className="plain">
          {(items as { url: string; quantity: number }[]).map(({ url, quantity }) => (
            <li key={url} className="address">
              {quantity} × {url}
            </li>
          ))}
        </ul>
        <p className="cap">
          <span>{words.atMost}</span> <b>{moneyText(Number(cap), String(currency), language)}</b>
        </p>
      </>
    )
  }
  if (what === 'passkey_added' || what === 'passkey_removed') return <p>{words.terms[what]}</p>
  return (
    <>
      <p>{words.terms.other}</p>
      <dl>
        {Object.entries({ what, ...terms }).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
