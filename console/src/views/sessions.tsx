import { useCalls } from '../calls.ts'
import { useLoaded } from '../loaded.ts'
import { usePressing } from '../pressing.ts'
import { ProblemText } from '../problem.tsx'
import { Time } from '../time.tsx'
import { useWords } from '../words.ts'

type OwnSession = {
  readonly id: string
  readonly signed_in_by: 'passkey' | 'invitation' | 'printed_link' | 'email_link' | 'provider'
  readonly browser: string
  readonly is_this: boolean
  readonly created_at: string
  readonly seen_at: string
}

/** Where the person is signed in, and how they end it elsewhere. */
export function Sessions() {
  const words = useWords()
  const { ask } = useCalls()
  const { value, error, reload } = useLoaded<{ data: readonly OwnSession[] }>('/console/v1/sessions')
  const ending = usePressing()
  const end = (path: string) =>
    ending.press(async () => {
      await ask({ method: 'DELETE', path })
      await reload()
    })
  const others = value?.data.filter(({ is_this }) => !is_this) ?? []
  return (
    <section>
      <h2>{words.sessions}</h2>
      <ProblemText error={error ?? ending.error} />
      <ul className="rows">
        {value?.data.map(({ id, signed_in_by, browser, is_this, seen_at }) => (
          <li key={id}>
            <span>
              <b>{is_this ? words.thisOne : words.signedInBy[signed_in_by]}</b>
              <span className="hint address">{browser || words.unknownBrowser}</span>
              <span className="hint">
                {words.seen} <Time at={seen_at} />
              </span>
            </span>
            {is_this ? null : (
              <button
                type="button"
                className="button"
                aria-label={`${words.end}: ${browser || words.unknownBrowser}`}
                disabled={ending.isBusy}
                onClick={() => void end(`/console/v1/sessions/${id}`)}
              >
                {words.end}
              </button>
            )}
          </li>
        ))}
      </ul>
      {others.length > 1 && (
        <button
          type="button"
          className="button"
          disabled={ending.isBusy}
          onClick={() => void end('/console/v1/sessions')}
        >
          {words.endOthers}
        </button>
      )}
    </section>
  )
}
