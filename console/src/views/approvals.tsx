import { moneyText } from '../../../elements/frame/src/money.ts'
import { type Address, Link, within } from '../address.tsx'
import { useLoaded } from '../loaded.ts'
import { ProblemText } from '../problem.tsx'
import { Time } from '../time.tsx'
import { Title } from '../title.tsx'
import { useLanguage, useWords } from '../words.ts'

type Waiting = {
  readonly id: string
  readonly profile_name: string | null
  readonly merchants: readonly string[]
  readonly item_count: number
  readonly currency_code: string
  readonly max_allowed_amount: number
  readonly created_at: string
}

type Page = { readonly data: readonly Waiting[]; readonly total: number; readonly has_more: boolean }

const pageSize = 20
/** The interface counts no further: there may be more. */
const totalCap = 10_000

/** The purchases that wait for somebody to approve them, the newest first. */
export function Approvals({ address }: { readonly address: Address }) {
  const words = useWords()
  const language = useLanguage()
  const offset = Math.max(0, Math.floor(Number(address.query.get('offset')))) || 0
  const { value, error, reload } = useLoaded<Page>(
    `/v1/purchase_intents?status=awaiting_approval&limit=${pageSize}&offset=${offset}`,
  )
  const at = (to: number) => within(address, to > 0 ? `/approvals?offset=${to}` : '/approvals')
  return (
    <>
      <Title>{words.approvals}</Title>
      <ProblemText error={error} />
      {error === null ? null : (
        <button type="button" className="button" onClick={() => void reload()}>
          {words.tryAgain}
        </button>
      )}
      {value === null ? (
        error === null && <p role="status">{words.loading}</p>
      ) : (
        <p role="status">
          {value.total === 0
            ? words.nothingWaits
            : words.waiting(value.total.toLocaleString(language), value.total > totalCap)}
        </p>
      )}
      <ul className="purchases">
        {value?.data.map((one) => (
          <li key={one.id}>
            <Link to={within(address, `/approvals/${one.id}`)}>
              <b>{one.merchants.join(', ')}</b>
              <span className="amount">
                {words.atMost} {moneyText(one.max_allowed_amount, one.currency_code, language)}
              </span>
              <span className="hint">
                {[one.profile_name, words.items(one.item_count)].filter(Boolean).join(' · ')}
              </span>
              <span className="hint">
                <Time at={one.created_at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {offset > 0 || value?.has_more ? (
        <nav className="pages" aria-label={words.pages}>
          {offset > 0 && <Link to={at(offset - pageSize)}>{words.newer}</Link>}
          {value?.has_more && <Link to={at(offset + pageSize)}>{words.older}</Link>}
        </nav>
      ) : null}
    </>
  )
}
