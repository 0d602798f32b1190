/** The key by which the simulator knows its seller, as its documentation says. */
export const stripeTestKey = 'sk_test_sandbox'

/** The same account in live mode, where the simulator moves as little money. */
export const stripeLiveKey = 'sk_live_sandbox'

/** The key of the shops of the sandbox, which charge tokens there. */
export const stripeShopKey = 'sk_test_stranger'

/** The name of that account. */
export const stripeAccount = 'acct_profile_live_sandbox'

/** What a command of the operator is set to, where live mode is rehearsed there. */
export function liveSettingsOf({ stripeUrl }: { stripeUrl: string }): Record<string, string> {
  return {
    PROKURA_LIVE_RAIL: 'stripe',
    PROKURA_STRIPE_URL: stripeUrl,
    PROKURA_STRIPE_SECRET_KEY: stripeLiveKey,
    PROKURA_STRIPE_PUBLISHABLE_KEY: 'pk_live_sandbox',
    PROKURA_PUBLIC_URL: 'https://api.example.com',
    PROKURA_ELEMENTS_URL: 'https://elements.example.com',
    PROKURA_CARDS_URL: 'https://cards.example.com',
    PROKURA_LIVE_CAP_DAILY: '4000.00 USD',
  }
}

/** The key of the agent that issues tokens there. */
export const stripeAgentKey = 'sk_test_agent'

type StripeEntry = {
  operation: string
  key: string | null
  payment_intent: string | null
  reference: string | null
  amount: number
  currency: string
  result: string
}

type Grant = { currency?: string; max_amount?: number; expires_at?: number; payment_method?: string }

/** What tests do at the simulator of Stripe: share tokens, disturb it, and ask its memory. */
export function stripeSimulator({
  stripeUrl: url,
  controlToken,
}: {
  stripeUrl: string
  controlToken: string
}) {
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they know to be there
  async function control(path: string, body: object, method = 'POST'): Promise<any> {
    const answer = await fetch(`${url}/control/${path}`, {
      method,
      headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
      ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`the simulator refuses ${path}: ${await answer.text()}`)
    return await answer.json()
  }
  async function helper(path: string, fields: Record<string, string>): Promise<{ id: string }> {
    const answer = await fetch(`${url}/v1/test_helpers/shared_payment/granted_tokens${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stripeTestKey}` },
      body: new URLSearchParams(fields),
    })
    if (!answer.ok) throw new Error(`the simulator grants nothing: ${await answer.text()}`)
    return JSON.parse(await answer.text())
  }
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they know to be there
  async function post(path: string, fields: Record<string, string>, key = stripeTestKey): Promise<any> {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: new URLSearchParams(fields),
    })
    if (!answer.ok) throw new Error(`the simulator refuses ${path}: ${await answer.text()}`)
    return answer.json()
  }
  async function read(path: string): Promise<{ data: Record<string, unknown>[] }> {
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${stripeTestKey}` } })
    return (await answer.json()) as { data: Record<string, unknown>[] } // a list of the simulator
  }
  async function atBank(page: string, says: 'complete' | 'fail'): Promise<number> {
    const answer = await fetch(`${page}/${says}`, { method: 'POST', redirect: 'manual' })
    return answer.status
  }
  async function log(): Promise<StripeEntry[]> {
    return JSON.parse(await (await fetch(`${url}/log`)).text())
  }
  return {
    url,
    /** The id of a token that pays up to a hundred dollars for an hour, unless it is told otherwise. */
    async grant(more: Grant = {}): Promise<string> {
      const { currency = 'usd', max_amount = 10_000, payment_method = 'pm_card_visa' } = more
      const { expires_at = Math.floor(Date.now() / 1000) + 3600 } = more
      const granted = await helper('', {
        payment_method,
        'usage_limits[currency]': currency,
        'usage_limits[max_amount]': String(max_amount),
        'usage_limits[expires_at]': String(expires_at),
      })
      return granted.id
    },
    /** A card that the account keeps for a customer, set up for payments without them: as its rail names it. */
    async keepCard(method: string): Promise<{ customer: string; method: string }> {
      const customer = (await post('/v1/customers', { description: 'Of a test' })).id
      const setup = await post('/v1/setup_intents', {
        customer,
        payment_method: method,
        usage: 'off_session',
        confirm: 'true',
        return_url: 'https://shop.example/back',
      })
      if (setup.next_action) await atBank(setup.next_action.redirect_to_url.url, 'complete')
      return { customer, method: setup.payment_method }
    },
    /** How much was paid in for issued cards of a currency. */
    payIn: (currency: string, amount: number) => control('issuing/funds', { currency, amount }),
    /** Who decides about charges of issued cards. */
    decideAt: (endpoint: string, secret: string) => control('issuing', { endpoint, secret }),
    /** What becomes of charges of issued cards that nobody has answered in time. */
    leaveUnanswered: (fallback: 'approve' | 'decline', answer_within_ms: number) =>
      control('issuing', { fallback, answer_within_ms }),
    /** The intents whose description has this in it, as the account reads them. */
    async intentsOf(part: string): Promise<Record<string, unknown>[]> {
      const { data } = await read('/v1/payment_intents?limit=100')
      return data.filter(({ description }) => String(description).includes(part))
    },
    async refundsOf(intent: string): Promise<unknown[]> {
      const { data } = await read(`/v1/refunds?payment_intent=${intent}`)
      return data.map(({ amount, transfer_reversal }) => ({ amount, transfer_reversal }))
    },
    /** A payment that somebody has taken in the Dashboard; answers its intent. `destination`: the account that it is for. */
    async take(
      amount: number,
      { destination, key }: { destination?: string; key?: string } = {},
    ): Promise<string> {
      const terms = {
        amount: String(amount),
        currency: 'usd',
        payment_method: 'pm_card_visa',
        confirm: 'true',
      }
      const more = destination ? { 'transfer_data[destination]': destination } : {}
      return (await post('/v1/payment_intents', { ...terms, ...more }, key)).id
    },
    /** The holder of the card disputes what was captured; answers the dispute. */
    async dispute(intent: string, more: { amount?: number; status?: string } = {}): Promise<string> {
      return (await control('disputes', { payment_intent: intent, ...more })).id
    },
    goOnWith: (dispute: string, status: string): Promise<unknown> =>
      control(`disputes/${dispute}`, { status }),
    /** What an account that was paid has left. */
    leave: (account: string, available: number): Promise<unknown> =>
      control('accounts', { id: account, available }),
    /** What moved between the operator and the accounts that were paid, oldest first: `reverse_transfer 700`. */
    async shares(): Promise<string[]> {
      const entries = await log()
      return entries
        .filter(({ operation }) => operation === 'transfer' || operation === 'reverse_transfer')
        .map(({ operation, amount }) => `${operation} ${amount}`)
    },
    /** Where the account of a key is told of disputes, once that is known. */
    async openEndpoint(key: string) {
      const types = ['created', 'updated', 'funds_withdrawn', 'funds_reinstated', 'closed']
      const events = types.map((type, place) => [`enabled_events[${place}]`, `charge.dispute.${type}`])
      const terms = { url: `${url}/nobody-yet`, ...Object.fromEntries(events) }
      const { id, secret } = await post('/v1/webhook_endpoints', terms, key)
      const change = (fields: Record<string, string>) => post(`/v1/webhook_endpoints/${id}`, fields, key)
      return {
        secret: String(secret),
        pointTo: (address: string) => change({ url: address }),
        turn: (is: 'on' | 'off') => change({ disabled: String(is === 'off') }),
      }
    },
    webhooks: (more: {
      deliver?: 'once' | 'twice' | 'early' | 'held'
      retry_ms?: number
    }): Promise<unknown> => control('webhooks', more),
    releaseWebhooks: (more: { reversed?: boolean } = {}): Promise<unknown> =>
      control('webhooks/release', more),
    /** The cards that the account keeps of a customer, by their names there. */
    async cardsOf(customer: string): Promise<string[]> {
      const { data } = await read(`/v1/payment_methods?customer=${customer}&type=card`)
      return data.map(({ id }) => String(id))
    },
    /** What the person of a card says at the page of their bank; answers the status of the page. */
    answerAtBank: (page: string, says: 'complete' | 'fail') => atBank(page, says),
    /** For how many days cards are held from now on; 0: as their networks give it. */
    holdFor: (days: number) => control('holds', { days }),
    /** Puts its clock forward. */
    forward: (forward_seconds: number) => control('clock', { forward_seconds }),
    /** Cards of a key, as Stripe has them, newest first. */
    async issuedUnder(key: string): Promise<{ id: string; status: string; number?: string }[]> {
      const answer = await fetch(`${url}/v1/issuing/cards?limit=100`, {
        headers: { authorization: `Bearer ${stripeTestKey}` },
      })
      const { data } = JSON.parse(await answer.text())
      return data.filter((one: { metadata: Record<string, string> }) => one.metadata.prokura_key === key)
    },
    /** A merchant takes money from an issued card without having asked; answers the transaction. */
    async forceCapture(card: string, { key, amount }: { key: string; amount: number }): Promise<string> {
      const told = await fetch(`${url}/v1/issuing/cards/${card}?expand[]=number`, {
        headers: { authorization: `Bearer ${stripeTestKey}` },
      })
      const { number } = JSON.parse(await told.text())
      const answer = await fetch(`${url}/network/v1/forced_captures`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ number, amount, currency: 'USD', merchant: 'shop.example' }),
      })
      return JSON.parse(await answer.text()).id
    },
    revoke: (token: string) => helper(`/${token}/revoke`, {}),
    fault: (operation: string, fault: string, times = 1) => control('faults', { operation, fault, times }),
    clearFaults: () => control('faults', {}, 'DELETE'),
    forgetKeys: () => control('keys/forget', {}),
    searchDelay: (delay_ms: number) => control('search', { delay_ms }),
    log,
    /** What moved for calls whose reference has this in it, oldest first: `confirm 700 requires_capture`. */
    async moneyOf(part: string): Promise<string[]> {
      const entries = await log()
      return entries
        .filter(({ reference }) => reference?.includes(part))
        .map(({ operation, amount, result }) => `${operation} ${amount} ${result}`)
    },
  }
}

/**
 * Throws what the simulator was asked, and what it answered, that Stripe's description of its API does not say: of a simulator that is about to
 * end, and of one that has ended nothing.
 */
export async function expectDescribed(url: string): Promise<void> {
  const heard = await fetch(`${url}/differences`).catch(() => null)
  const differences = heard === null ? [] : ((await heard.json()) as string[]) // a list of sentences
  if (differences.length > 0)
    throw new Error(`Stripe's description says otherwise:\n${differences.join('\n')}`)
}
