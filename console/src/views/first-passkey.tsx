import { type Address, go, Link, nextOf } from '../address.tsx'
import { useSession } from '../session.ts'
import { Title } from '../title.tsx'
import { useWords } from '../words.ts'
import { AddPasskey } from './add-passkey.tsx'

/** Where a link leads to: who came by one adds a passkey, also who has lost theirs. */
export function FirstPasskey({ address }: { readonly address: Address }) {
  const words = useWords()
  const { has_passkey, reload } = useSession()
  const next = nextOf(address)
  return (
    <main className="alone">
      <b className="brand">Prokura</b>
      <Title>{has_passkey ? words.addAgain : words.addFirst}</Title>
      <p>{has_passkey ? words.addAgainText : words.addFirstText}</p>
      <AddPasskey
        onAdded={async () => {
          await reload()
          go(next, { replace: true })
        }}
      />
      <Link to={next}>{words.notNow}</Link>
    </main>
  )
}
