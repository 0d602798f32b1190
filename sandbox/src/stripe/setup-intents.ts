import type { Stripe } from 'stripe'
import { customerIn } from './customers.ts'
import { enteredCard } from './entered-card.ts'
import type { Fact, Memory, SetupIntent } from './memory.ts'
import { nextAction } from './next-action.ts'
import { attached, cardOf, declinedBy, methodNamed } from './payment-methods.ts'
import { noSuch, StripeError } from './stripe-error.ts'
import { type Asked, type Done, newId, type Operations, page, seconds } from './work.ts'

const setups = '/v1/setup_intents'

export const setupIntentOperations: Operations = [
  {
    method: 'POST',
    path: setups,
    operation: 'create_setup',
    work(asked) {
      const { form, memory, nowMs } = asked
      const customer = form.text('customer')
      if (customer !== null) customerIn(memory, customer)
      form.list('allowed_payment_method_types')
      form.group('automatic_payment_methods')
      const wants = form.oneOf('payment_method_options[card][request_three_d_secure]', [
        'automatic',
        'any',
        'challenge',
      ])
      const setup: SetupIntent = {
        id: newId('seti'),
        status: 'requires_payment_method',
        customer,
        payment_method: null,
        usage: form.oneOf('usage', ['off_session', 'on_session']) ?? 'off_session',
        description: form.text('description'),
        metadata: form.group('metadata'),
        asking: null,
        last_setup_error: null,
        created_ms: nowMs,
      }
      const [isConfirmed, method, returnUrl] = [
        form.flag('confirm') ?? false,
        form.text('payment_method'),
        form.text('return_url'),
      ]
      if (!isConfirmed) {
        const named = method === null ? null : methodNamed(asked, method)
        return saved(asked, {
          value: named
            ? { ...setup, payment_method: named.method.id, status: 'requires_confirmation' }
            : setup,
          before: named?.isNew ?? [],
        })
      }
      return confirmSetup(asked, setup, {
        method,
        returnUrl,
        isWanted: wants === 'any' || wants === 'challenge',
      })
    },
  },
  {
    method: 'GET',
    path: setups,
    operation: 'list_setups',
    work: (asked) => ({
      body: page(asked, asked.memory.setups.values(), (one) => renderSetup(one, asked)),
    }),
  },
  {
    method: 'GET',
    path: `${setups}/:id`,
    operation: 'read_setup',
    isForPages: true,
    work: (asked) => ({ body: renderSetup(setupOf(asked), asked) }),
  },
  {
    method: 'POST',
    path: `${setups}/:id/confirm`,
    operation: 'confirm_setup',
    isForPages: true,
    work(asked) {
      const { form } = asked
      const setup = setupOf(asked)
      const [method, returnUrl] = [form.text('payment_method'), form.text('return_url')]
      // Where the script of a page shows what the bank asks, nobody is sent away.
      const isInPage = form.flag('use_stripe_sdk') ?? false
      return confirmSetup(asked, setup, {
        method: method ?? enteredCard(form),
        returnUrl: isInPage ? null : returnUrl,
      })
    },
  },
  {
    method: 'POST',
    path: `${setups}/:id/cancel`,
    operation: 'cancel_setup',
    work(asked) {
      const setup = setupIn(asked.memory, asked.call.params.id)
      asked.form.text('cancellation_reason')
      if (setup.status === 'succeeded' || setup.status === 'canceled') throw unexpected(setup)
      return saved(asked, { value: { ...setup, status: 'canceled' }, before: [] })
    },
  },
]

type Confirming = {
  readonly method: string | null
  readonly returnUrl: string | null
  /** Whoever asks wants the holder to confirm, whether the bank does or not. */
  readonly isWanted?: boolean
}

function confirmSetup(
  asked: Asked,
  setup: SetupIntent,
  { method, returnUrl, isWanted = false }: Confirming,
): Done {
  if (setup.status === 'succeeded' || setup.status === 'canceled') throw unexpected(setup)
  const named = method ?? setup.payment_method
  if (named === null)
    throw new StripeError(400, { param: 'payment_method', message: 'A payment method is missing' })
  const { method: chosen, isNew } = methodNamed(asked, named)
  const { authentication, onAttach } = cardOf(chosen)
  const begun = { ...setup, payment_method: chosen.id }
  if (onAttach !== 'approved') {
    const value = { ...begun, status: 'requires_payment_method' as const, last_setup_error: onAttach }
    const error = declinedBy(onAttach, { setup_intent: renderSetup(value, asked) })
    return {
      status: error.status,
      body: { error: error.fields },
      facts: [...isNew, { kind: 'setup', value }],
    }
  }
  if (isWanted || authentication === 'always' || authentication === 'unless_set_up')
    return saved(asked, {
      value: {
        ...begun,
        status: 'requires_action',
        asking: { return_url: returnUrl, asked_ms: asked.nowMs },
      },
      before: isNew,
    })
  return saved(asked, setUp(asked.memory, begun, isNew))
}

/** Its holder has confirmed the setup, or need not: the method is kept for payments without them. */
export function setUp(
  memory: Memory,
  setup: SetupIntent,
  isNew: readonly Extract<Fact, { kind: 'method' }>[],
): { value: SetupIntent; before: Fact[] } {
  const id = setup.payment_method ?? ''
  const method = isNew.find(({ value }) => value.id === id)?.value ?? memory.methods.get(id)
  if (method === undefined) throw noSuch('PaymentMethod', 'payment_method')
  const kept = setup.customer === null ? method : attached(memory, method, setup.customer)
  return {
    value: { ...setup, status: 'succeeded', asking: null },
    before: [...isNew, { kind: 'method', value: { ...kept, is_set_up: true } }],
  }
}

function saved(asked: Asked, { value, before }: { value: SetupIntent; before: readonly Fact[] }): Done {
  return { body: renderSetup(value, asked), facts: [...before, { kind: 'setup', value }] }
}

/** That of the path. Who has only the key of a page proves by its client secret that the setup is theirs. */
function setupOf({ form, memory, call, account }: Asked): SetupIntent {
  const setup = setupIn(memory, call.params.id)
  const secret = account.isPage ? form.required('client_secret') : form.text('client_secret')
  if (secret !== null && secret !== secretOf(setup)) throw noSuch('setupintent', 'intent', 404)
  return setup
}

function secretOf({ id }: SetupIntent): string {
  return `${id}_secret`
}

function setupIn(memory: Memory, id = ''): SetupIntent {
  const setup = memory.setups.get(id)
  if (setup === undefined) throw noSuch('setupintent', 'intent', 404)
  return setup
}

function unexpected({ status }: SetupIntent): StripeError {
  return new StripeError(400, {
    code: 'setup_intent_unexpected_state',
    message: `This SetupIntent has a status of ${status}`,
  })
}

const notAuthenticated =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.'

function renderSetup(setup: SetupIntent, { account, pagesUrl }: Asked): Stripe.SetupIntent {
  const { id, asking, last_setup_error: error } = setup
  return {
    id,
    object: 'setup_intent',
    allowed_payment_method_types: null,
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: secretOf(setup),
    created: seconds(setup.created_ms),
    customer: setup.customer,
    description: setup.description,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error:
      error === null
        ? null
        : ({
            type: 'card_error',
            ...error,
            message:
              error.code === 'setup_intent_authentication_failure'
                ? notAuthenticated
                : 'Your card was declined.',
          } as Stripe.SetupIntent.LastSetupError), // its codes are those of test cards
    latest_attempt: null,
    livemode: account.isLive,
    mandate: null,
    metadata: setup.metadata,
    next_action: asking === null ? null : nextAction(pagesUrl, 'setup', setup.id, asking),
    on_behalf_of: null,
    payment_method: setup.payment_method,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: ['card'],
    single_use_mandate: null,
    status: setup.status,
    usage: setup.usage,
  }
}
