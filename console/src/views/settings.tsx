import { go } from '../address.tsx'
import { useCalls } from '../calls.ts'
import { forgetAll, useLoaded } from '../loaded.ts'
import { usePressing } from '../pressing.ts'
import { ProblemText } from '../problem.tsx'
import { useSession } from '../session.ts'
import { Time } from '../time.tsx'
import { Title } from '../title.tsx'
import { useWords } from '../words.ts'
import { AddPasskey } from './add-passkey.tsx'
import { Sessions } from './sessions.tsx'

type Passkey = {
  readonly id: string
  readonly name: string
  readonly created_at: string
  readonly used_at: string | null
}

export function Settings() {
  const words = useWords()
  const { ask } = useCalls()
  const { name, email, role } = useSession()
  const { isBusy, error, press } = usePressing()
  async function signOut(): Promise<void> {
    await ask({ method: 'POST', path: '/console/v1/sign_out', body: {} })
    forgetAll()
    go('/sign-in')
  }
  return (
    <>
      <Title>{words.settings}</Title>
      <section>
        <h2>{words.you}</h2>
        <p>
          {name} · <span className="address">{email}</span> · {role}
        </p>
        <ProblemText error={error} />
        <button
          type="button"
          id="sign-out"
          className="button"
          disabled={isBusy}
          onClick={() => void press(signOut)}
        >
          {words.signOut}
        </button>
      </section>
      <Passkeys />
      <Sessions />
    </>
  )
}

function Passkeys() {
  const words = useWords()
  const { confirm } = useCalls()
  const session = useSession()
  const { value, error, reload } = useLoaded<{ data: readonly Passkey[] }>('/console/v1/passkeys')
  const removing = usePressing()
  const again = async () => void (await Promise.all([reload(), session.reload()]))
  const remove = (id: string) =>
    removing.press(async () => {
      await confirm({ method: 'DELETE', path: `/console/v1/passkeys/${encodeURIComponent(id)}` })
      await again()
    })
  return (
    <section>
      <h2>{words.passkeys}</h2>
      <ProblemText error={error ?? removing.error} />
      {value?.data.length === 0 && <p>{words.noPasskeys}</p>}
      <ul className="rows">
        {value?.data.map(({ id, name, created_at, used_at }) => (
          <li key={id}>
            <span>
              <b>{name}</b>
              <span className="hint">
                {words.added} <Time at={created_at} />,{' '}
                {used_at === null ? (
                  words.neverUsed
                ) : (
                  <>
                    {words.used} <Time at={used_at} />
                  </>
                )}
              </span>
            </span>
            <button
              type="button"
              className="button"
              aria-label={`${words.remove}: ${name}`}
              disabled={removing.isBusy}
              onClick={() => void remove(id)}
            >
              {words.remove}
            </button>
          </li>
        ))}
      </ul>
      <AddPasskey onAdded={again} />
    </section>
  )
}
