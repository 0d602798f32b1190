import type { ReactNode } from 'react'
import { type Address, go, Link, type Mode, within } from '../address.tsx'
import { useSession } from '../session.ts'
import { useWords } from '../words.ts'

const modes: readonly Mode[] = ['test', 'live']

/** What stands around every view: where one is, in which account and mode, and where one can go. */
export function Frame({ address, children }: { readonly address: Address; readonly children: ReactNode }) {
  const words = useWords()
  const { accounts } = useSession()
  const { path, mode } = address
  const account = address.account ?? accounts[0]?.id ?? ''
  // What is shown of one account is not in another one: there the list begins.
  const change = (to: Pick<Address, 'account' | 'mode'>) =>
    go(within(to, path === '/settings' ? path : '/approvals'))
  return (
    <div className={`frame ${mode}`}>
      <a className="skip" href="#content">
        {words.skip}
      </a>
      <header>
        <div className="bar">
          <b className="brand">Prokura</b>
          <nav aria-label={words.menu}>
            {(['approvals', 'settings'] as const).map((view) => (
              <Link
                key={view}
                to={within(address, `/${view}`)}
                aria-current={path.startsWith(`/${view}`) ? 'page' : undefined}
              >
                {words[view]}
              </Link>
            ))}
          </nav>
          <div className="choices">
            {accounts.length > 1 ? (
              <select
                aria-label={words.account}
                value={account}
                onChange={({ target }) => change({ account: target.value, mode })}
              >
                {accounts.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            ) : (
              <span className="account">{accounts[0]?.name}</span>
            )}
            <select
              aria-label={words.mode}
              value={mode}
              onChange={({ target }) =>
                change({ account: address.account, mode: target.value === 'live' ? 'live' : 'test' })
              }
            >
              {modes.map((each) => (
                <option key={each} value={each}>
                  {words.modes[each]}
                </option>
              ))}
            </select>
          </div>
        </div>
        <p className="mode-band">
          <b>{words.modes[mode]}</b> {words.modeText[mode]}
        </p>
      </header>
      <main id="content">{children}</main>
    </div>
  )
}
