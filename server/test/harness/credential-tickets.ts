import type { Buyer, Buying, Purchase } from './buying.ts'
import { newPageKey, signInSession } from './element-sessions.ts'
import { sealFor } from './seal-ticket.ts'

const tickets = '/elements/v1/purchase_intent/credential_tickets'

/** People who type something for a sign-in, by the component that a page shows. */
export function openTickets({ app, sql }: Pick<Buying, 'app' | 'sql'>) {
  const keys = new Map<string, Promise<string>>()

  function keyOf({ account }: Buyer): Promise<string> {
    const known = keys.get(account.accountId) ?? newPageKey(app, account)
    keys.set(account.accountId, known)
    return known
  }

  /** What a component begins, and what it sends then, as often as it likes. */
  async function begin(buyer: Buyer, { id: intent }: Pick<Purchase, 'id'>, secret: object) {
    const session = await signInSession(app, await keyOf(buyer), intent)
    const begun = await app.request('POST', tickets, { key: session, body: {} })
    const body = await sealFor(begun.body, secret)
    const id: string = begun.body.id
    return { id, seal: () => app.request('POST', `${tickets}/${id}/seal`, { key: session, body }) }
  }

  return {
    begin,
    /** What a person types into the component for the cart that a purchase asks about. `host`, `livesMs`: as if it were so. */
    async mint(
      buyer: Buyer,
      purchase: Pick<Purchase, 'id'>,
      secret: object,
      { host, livesMs }: { host?: string; livesMs?: number } = {},
    ): Promise<string> {
      const { id, seal } = await begin(buyer, purchase, secret)
      const sealed = await seal()
      if (sealed.status !== 200) throw new Error(`no ticket was made: ${JSON.stringify(sealed.body)}`)
      await sql(
        `update credential_tickets set host = coalesce($2, host),
           expires_at = coalesce(prokura_now() + make_interval(secs => $3::float8), expires_at) where id = $1`,
        [id, host ?? null, livesMs === undefined ? null : livesMs / 1000],
      )
      return id
    },
    async stateOf(id: string): Promise<string | null> {
      const [row] = await sql<{ status: string }>('select status from credential_tickets where id = $1', [id])
      return row?.status ?? null
    },
  }
}
