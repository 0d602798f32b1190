import { useEffect, useState } from 'react'
import { type Address, go, nextOf } from '../address.tsx'
import { call, type Request } from '../api.ts'
import { askPasskey } from '../passkeys.ts'
import { usePressing } from '../pressing.ts'
import { ProblemText } from '../problem.tsx'
import { Title } from '../title.tsx'
import { useWords } from '../words.ts'

/** Nobody has signed in, so no account is named. */
const ask = <Answer,>(request: Request) => call<Answer>({ account: null, mode: 'test' }, request)

type Link = { readonly email: string; readonly account_name: string }

export function SignIn({ address }: { readonly address: Address }) {
  const words = useWords()
  const [token, setToken] = useState(takeToken)
  // Another link that is put into the address of this tab is another sign-in.
  useEffect(() => {
    const look = () => setToken(takeToken())
    addEventListener('hashchange', look)
    return () => removeEventListener('hashchange', look)
  }, [])
  const { isBusy, error, press } = usePressing()
  async function byPasskey(): Promise<void> {
    const asked = await ask<{ id: string; options: Record<string, unknown> }>({
      method: 'POST',
      path: '/console/v1/sign_in/passkeys/ask',
      body: {},
    })
    const credential = await askPasskey(asked.options)
    await ask({
      method: 'POST',
      path: '/console/v1/sign_in/passkeys',
      body: { id: asked.id, credential },
    })
    go(nextOf(address), { replace: true })
  }
  return (
    <main className="alone">
      <b className="brand">Prokura</b>
      {token === null ? (
        <Title>{words.signIn}</Title>
      ) : (
        <ByLink key={token} token={token} address={address} />
      )}
      <ProblemText error={error} />
      <button
        type="button"
        id="by-passkey"
        className={token === null ? 'button main' : 'button'}
        disabled={isBusy}
        onClick={() => void press(byPasskey)}
      >
        {words.usePasskey}
      </button>
      <p className="hint">
        {words.lost} <code>prokura people sign-in-link</code>
      </p>
    </main>
  )
}

/** Says for whom a link is. Only the button uses it up: programs open links before people do. */
function ByLink({ token, address }: { readonly token: string; readonly address: Address }) {
  const words = useWords()
  const [link, setLink] = useState<Link | null>(null)
  const { isBusy, error, press } = usePressing()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each link
  useEffect(
    () =>
      void press(async () =>
        setLink(await ask<Link>({ method: 'POST', path: '/console/v1/sign_in/links/look', body: { token } })),
      ),
    [token],
  )
  async function signIn(): Promise<void> {
    await ask({ method: 'POST', path: '/console/v1/sign_in/links', body: { token } })
    const next = nextOf(address)
    go(`/first-passkey?next=${encodeURIComponent(next)}`, { replace: true })
  }
  if (link === null)
    return (
      <>
        <Title>{words.signIn}</Title>
        {error === null ? <p role="status">{words.loading}</p> : <ProblemText error={error} />}
      </>
    )
  return (
    <>
      <Title>{words.signInAs(link.email)}</Title>
      <p>{words.signInTo(link.account_name)}</p>
      <ProblemText error={error} />
      <button
        type="button"
        id="by-link"
        className="button main"
        disabled={isBusy}
        onClick={() => void press(signIn)}
      >
        {words.useLink}
      </button>
    </>
  )
}

/** The token leaves the address before anybody reads it there. The tab keeps it, for who loads the page again. */
function takeToken(): string | null {
  const named = location.hash.slice(1)
  if (named !== '') history.replaceState({ token: named }, '', location.pathname + location.search)
  const { token } = history.state ?? {}
  return typeof token === 'string' ? token : null
}
