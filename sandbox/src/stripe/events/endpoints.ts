import { randomBytes } from 'node:crypto'
import type { Stripe } from 'stripe'
import type { Endpoint } from '../memory.ts'
import { noSuch, StripeError } from '../stripe-error.ts'
import { type Asked, newId, type Operations, page, seconds } from '../work.ts'
import { apiVersion } from './signature.ts'

const endpoints = '/v1/webhook_endpoints'

export const endpointOperations: Operations = [
  {
    method: 'POST',
    path: endpoints,
    operation: 'create_endpoint',
    work(asked) {
      const { form, nowMs, account } = asked
      const url = form.required('url')
      const enabled_events = form.list('enabled_events')
      if (enabled_events.length === 0)
        throw new StripeError(400, {
          code: 'parameter_missing',
          param: 'enabled_events',
          message: 'Missing required param: enabled_events.',
        })
      const value: Endpoint = {
        id: newId('we'),
        url,
        secret: `whsec_${randomBytes(24).toString('hex')}`,
        enabled_events,
        is_disabled: false,
        description: form.text('description'),
        metadata: form.group('metadata'),
        owner: account.profile,
        created_ms: nowMs,
      }
      // Only who makes it is told its secret.
      const body = { ...renderEndpoint(value, asked), secret: value.secret }
      return { body, facts: [{ kind: 'endpoint', value }] }
    },
  },
  {
    method: 'GET',
    path: endpoints,
    operation: 'list_endpoints',
    work(asked) {
      const own = [...asked.memory.endpoints.values()].filter(({ owner }) => owner === asked.account.profile)
      return { body: page(asked, own, (one) => renderEndpoint(one, asked)) }
    },
  },
  {
    method: 'GET',
    path: `${endpoints}/:id`,
    operation: 'read_endpoint',
    work: (asked) => ({ body: renderEndpoint(knownEndpoint(asked), asked) }),
  },
  {
    method: 'POST',
    path: `${endpoints}/:id`,
    operation: 'update_endpoint',
    work(asked) {
      const { form } = asked
      const before = knownEndpoint(asked)
      const named = form.list('enabled_events')
      const value: Endpoint = {
        ...before,
        url: form.text('url') ?? before.url,
        enabled_events: named.length === 0 ? before.enabled_events : named,
        is_disabled: form.flag('disabled') ?? before.is_disabled,
      }
      return { body: renderEndpoint(value, asked), facts: [{ kind: 'endpoint', value }] }
    },
  },
  {
    method: 'DELETE',
    path: `${endpoints}/:id`,
    operation: 'delete_endpoint',
    work(asked) {
      const { id } = knownEndpoint(asked)
      const body: Stripe.DeletedWebhookEndpoint = { id, object: 'webhook_endpoint', deleted: true }
      return { body, facts: [{ kind: 'endpoint_gone', id }] }
    },
  },
]

function knownEndpoint({ memory, account, call }: Asked): Endpoint {
  const found = memory.endpoints.get(call.params.id ?? '')
  if (found?.owner !== account.profile) throw noSuch('webhook endpoint', 'id', 404)
  return found
}

function renderEndpoint(
  { id, url, enabled_events, is_disabled, description, metadata, created_ms }: Endpoint,
  { account }: Pick<Asked, 'account'>,
): Stripe.WebhookEndpoint {
  return {
    id,
    object: 'webhook_endpoint',
    api_version: apiVersion,
    application: null,
    created: seconds(created_ms),
    description,
    enabled_events,
    livemode: account.isLive,
    metadata,
    status: is_disabled ? 'disabled' : 'enabled',
    url,
  }
}
