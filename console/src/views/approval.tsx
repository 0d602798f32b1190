import { useRef } from 'react'
import { purchaseOf } from '../../../elements/approval/src/calls/purchase.ts'
import { moneyText } from '../../../elements/frame/src/money.ts'
import { type Address, Link, within } from '../address.tsx'
import { Refusal } from '../api.ts'
import { useCalls } from '../calls.ts'
import { useLoaded } from '../loaded.ts'
import { usePressing } from '../pressing.ts'
import { ProblemText } from '../problem.tsx'
import { useSession } from '../session.ts'
import { Time } from '../time.tsx'
import { Title } from '../title.tsx'
import { useLanguage, useWords } from '../words.ts'
import { BoughtFor } from './bought-for.tsx'

/** A purchase as the interface shows it: `purchaseOf` reads what is bought and why somebody is asked. */
type Intent = Record<string, unknown> & {
  readonly id: string
  readonly status: string
  readonly summary: string
  readonly profile_id: string
  readonly created_at: string
  readonly reference_id: string | null
  readonly approval: { readonly expires_at: string | null }
  readonly preferences: { readonly fulfillment: { readonly address_id: string | null } }
}

export function Approval({ id, address }: { readonly id: string; readonly address: Address }) {
  const words = useWords()
  const { value, error, reload } = useLoaded<Intent>(`/v1/purchase_intents/${encodeURIComponent(id)}`)
  const isElsewhere = error instanceof Refusal && error.status === 404
  return (
    <>
      <Link className="back" to={within(address, '/approvals')}>
        {words.back}
      </Link>
      {value === null ? (
        <>
          <Title>{isElsewhere ? words.noneHere : words.purchase}</Title>
          {error === null ? <p role="status">{words.loading}</p> : <ProblemText error={error} />}
        </>
      ) : (
        <>
          <Title>{value.status === 'awaiting_approval' ? words.awaits : words.purchase}</Title>
          {value.status === 'awaiting_approval' ? null : (
            <p role="status" lang="en">
              {value.summary}
            </p>
          )}
          <Terms intent={value} />
          {value.status === 'awaiting_approval' ? (
            <Answer id={id} address={address} onAnswered={reload} />
          ) : null}
        </>
      )}
    </>
  )
}

/** What is bought, of whom, for how much at most, for whom, and why a person is asked. */
function Terms({ intent }: { readonly intent: Intent }) {
  const words = useWords()
  const language = useLanguage()
  const purchase = purchaseOf(intent)
  const money = (amount: number) => moneyText(amount, purchase.currency, language)
  const { expires_at } = intent.approval
  return (
    <section className="terms">
      {purchase.shops.map(({ host, items }) => (
        <div key={host}>
          <h2 dir="ltr">{host}</h2>
          <ul className="plain">
            {items.map(({ id, name, choices, quantity, amount }) => (
              <li key={id} className="line">
                <bdi>
                  {quantity} × {[name, ...choices].join(', ')}
                </bdi>
                <bdi className="amount">{money(quantity * amount)}</bdi>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <p className="cap">
        <span>{words.atMost}</span> <b>{money(purchase.cap)}</b>
      </p>
      <p className="hint">{words.atMostText}</p>
      <dl>
        <BoughtFor profileId={intent.profile_id} addressId={intent.preferences.fulfillment.address_id} />
        {purchase.answers.length === 0 ? null : (
          <div>
            <dt>{words.shopGets}</dt>
            {purchase.answers.map((answer) => (
              <dd key={answer}>{answer}</dd>
            ))}
          </div>
        )}
        <div>
          <dt>{words.why}</dt>
          {purchase.reasons.map((reason) => (
            <dd key={reason}>{words.reasons[reason]}</dd>
          ))}
        </div>
        <div>
          <dt>{words.asked}</dt>
          <dd>
            <Time at={intent.created_at} />
          </dd>
        </div>
        {expires_at === null ? null : (
          <div>
            <dt>{words.answerBy}</dt>
            <dd>
              <Time at={expires_at} />
            </dd>
          </div>
        )}
        <div>
          <dt>{words.reference}</dt>
          <dd className="address">{intent.reference_id ?? intent.id}</dd>
        </div>
      </dl>
    </section>
  )
}

type AnswerProps = {
  readonly id: string
  readonly address: Address
  readonly onAnswered: () => Promise<void>
}

function Answer({ id, address, onAnswered }: AnswerProps) {
  const words = useWords()
  const { confirm } = useCalls()
  const { has_passkey, role, scopes } = useSession()
  const declining = useRef<HTMLDialogElement>(null)
  const { isBusy, error, press } = usePressing()
  const answer = (approve: boolean) =>
    press(async () => {
      const path = `/v1/purchase_intents/${encodeURIComponent(id)}/approve`
      try {
        await confirm({ method: 'POST', path, body: { approve } })
      } finally {
        // Somebody else may have answered meanwhile, or what is bought may have changed.
        await onAnswered()
      }
    })
  if (!scopes.includes('purchase_intents:approve')) return <p className="hint">{words.mayNotApprove(role)}</p>
  const here = within(address, address.path)
  return (
    <>
      <ProblemText error={error} />
      <div className="answers">
        {has_passkey ? (
          <button
            type="button"
            id="approve"
            className="button main"
            disabled={isBusy}
            onClick={() => void answer(true)}
          >
            {words.approve}
          </button>
        ) : (
          <p>
            {words.needsPasskey}{' '}
            <Link to={within(address, `/first-passkey?next=${encodeURIComponent(here)}`)}>
              {words.addPasskey}
            </Link>
          </p>
        )}
        <button
          type="button"
          id="decline"
          className="button"
          disabled={isBusy}
          onClick={() => declining.current?.showModal()}
        >
          {words.decline}
        </button>
      </div>
      <dialog ref={declining} aria-labelledby="decline-title">
        <h2 id="decline-title">{words.declineNow}</h2>
        <p>{words.declineText}</p>
        <div className="answers">
          <button
            type="button"
            id="decline-now"
            className="button main"
            onClick={() => {
              declining.current?.close()
              void answer(false)
            }}
          >
            {words.declineNow}
          </button>
          <button type="button" className="button" onClick={() => declining.current?.close()}>
            {words.keep}
          </button>
        </div>
      </dialog>
    </>
  )
}
