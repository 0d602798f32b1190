import { useCallback } from 'react'
import { type Address, go, home, Link, useAddress } from './address.tsx'
import { call, Refusal, type Request } from './api.ts'
import { Confirming } from './confirming.tsx'
import { forgetAll, useLoaded } from './loaded.ts'
import { ProblemText } from './problem.tsx'
import { type Session, SessionContext } from './session.ts'
import { Title } from './title.tsx'
import { Approval } from './views/approval.tsx'
import { Approvals } from './views/approvals.tsx'
import { FirstPasskey } from './views/first-passkey.tsx'
import { Frame } from './views/frame.tsx'
import { Settings } from './views/settings.tsx'
import { SignIn } from './views/sign-in.tsx'
import { useWords } from './words.ts'

/** Every view is an address. */
export function App() {
  const address = useAddress()
  if (address.path === '/sign-in') return <SignIn address={address} />
  return <SignedIn address={address} />
}

/** What somebody sees who has signed in; others sign in first, and come back here. */
function SignedIn({ address }: { readonly address: Address }) {
  const { account, mode } = address
  const ask = useCallback(
    async <Answer,>(request: Request) => {
      try {
        return await call<Answer>({ account, mode }, request)
      } catch (error) {
        if (error instanceof Refusal && error.status === 401) signInFirst()
        throw error
      }
    },
    [account, mode],
  )
  return (
    <Confirming ask={ask} scope={`${account} ${mode}`}>
      <WithSession address={address} />
    </Confirming>
  )
}

function signInFirst(): void {
  forgetAll()
  const here = location.pathname.slice(home.pathname.length) + location.search
  if (!here.startsWith('/sign-in')) go(`/sign-in?next=${encodeURIComponent(here)}`, { replace: true })
}

function WithSession({ address }: { readonly address: Address }) {
  const words = useWords()
  const { value, error, reload } = useLoaded<Session>('/console/v1/session')
  if (value !== null)
    return (
      <SessionContext value={{ ...value, reload }}>
        {address.path === '/first-passkey' ? (
          <FirstPasskey address={address} />
        ) : (
          <Frame address={address}>
            <View address={address} />
          </Frame>
        )}
      </SessionContext>
    )
  return (
    <main className="alone">
      {error === null ? (
        <p role="status">{words.loading}</p>
      ) : (
        <>
          <Title>{words.console}</Title>
          <ProblemText error={error} />
          <button type="button" className="button" onClick={() => void reload()}>
            {words.tryAgain}
          </button>
          <Link to="/approvals">{words.toApprovals}</Link>
        </>
      )}
    </main>
  )
}

function View({ address }: { readonly address: Address }) {
  const words = useWords()
  const { path } = address
  const [, id] = /^\/approvals\/([^/]+)$/.exec(path) ?? []
  if (path === '/' || path === '/approvals') return <Approvals address={address} />
  // Another purchase begins anew: nothing of the one before is left.
  if (id !== undefined) return <Approval key={id} id={id} address={address} />
  if (path === '/settings') return <Settings />
  return (
    <>
      <Title>{words.notFound}</Title>
      <Link to="/approvals">{words.toApprovals}</Link>
    </>
  )
}
