import type { Answer, Route } from '../json-server.ts'
import { tokenConfirmed } from './granted-tokens.ts'
import type { Asking, Fact, Memory } from './memory.ts'
import { nowOf } from './memory.ts'
import { confirmedByHolder } from './payment-intents.ts'
import { setUp } from './setup-intents.ts'

/** The page of the bank, on which the person who holds a card says yes or no. */
export function confirmationPages(memory: Memory, commit: (...facts: readonly Fact[]) => void): Route[] {
  return [
    {
      method: 'GET',
      path: '/confirm/:kind/:id',
      handle: ({ params }) =>
        askedAt(memory, params) === null
          ? html(410, '<p>Nothing is to be confirmed here any more.</p>')
          : html(
              200,
              ['complete', 'fail']
                .map(
                  (answer) =>
                    `<form method="post" action="/confirm/${params.kind}/${params.id}/${answer}"><button>${answer}</button></form>`,
                )
                .join(''),
            ),
    },
    {
      method: 'POST',
      path: '/confirm/:kind/:id/:answer',
      handle({ params }) {
        const asking = askedAt(memory, params)
        if (asking === null) return html(410, '<p>Nothing is to be confirmed here any more.</p>')
        const isYes = params.answer === 'complete'
        commit(...answeredBy(memory, params, isYes))
        if (asking.return_url === null) return html(200, '<p>Go back to where you came from.</p>')
        const back = new URL(asking.return_url)
        back.searchParams.set(namedBy[params.kind ?? ''] ?? 'payment_intent', params.id ?? '')
        back.searchParams.set('redirect_status', isYes ? 'succeeded' : 'failed')
        return { kind: 'json', status: 303, body: {}, headers: { location: back.href } }
      },
    },
  ]
}

type Params = Readonly<Record<string, string>>

const namedBy: Readonly<Record<string, string>> = {
  setup: 'setup_intent',
  token: 'shared_payment_issued_token',
}

function askedAt(memory: Memory, { kind, id = '' }: Params): Asking | null {
  if (kind === 'token') {
    const token = memory.tokens.get(id)
    return token?.deactivated_reason === null ? token.asking : null
  }
  const asked = kind === 'setup' ? memory.setups.get(id) : memory.intents.get(id)
  return asked?.status === 'requires_action' ? asked.asking : null
}

function answeredBy(memory: Memory, { kind, id = '' }: Params, isYes: boolean): readonly Fact[] {
  if (kind === 'token') {
    const token = memory.tokens.get(id)
    return token ? [tokenConfirmed(token, isYes)] : []
  }
  if (kind !== 'setup') {
    const intent = memory.intents.get(id)
    return intent ? confirmedByHolder(memory, intent, { isYes, nowMs: nowOf(memory) }) : []
  }
  const setup = memory.setups.get(id)
  if (!setup) return []
  if (!isYes) {
    const last_setup_error = { code: 'setup_intent_authentication_failure' }
    return [
      {
        kind: 'setup',
        value: { ...setup, status: 'requires_payment_method', asking: null, last_setup_error },
      },
    ]
  }
  const { value, before } = setUp(memory, setup, [])
  return [...before, { kind: 'setup', value }]
}

function html(status: number, body: string): Answer {
  return { kind: 'raw', status, type: 'text/html; charset=utf-8', chunks: [`<!doctype html>${body}`] }
}
