import { createApi } from '../../../server/src/app.ts'
import { openRole } from '../../../server/src/cli/role.ts'
import { roleConfig } from '../../../server/src/cli/role-config.ts'
import { defineOperation, reply } from '../../../server/src/contract/operation.ts'
import { PurchaseIntentCreate } from '../../../server/src/domain/buying/intents/create/create-request.ts'
import { observeRequests } from '../../../server/src/surfaces/http/observe-requests.ts'
import { readyUntilParentEnds } from '../child.ts'

// Our server with one operation that needs no database: a key is looked up (its door is cached), the body is checked by the schema
// of a new purchase, and goes back as it came. `observed` adds the log line and the metrics of a deployed API.

const echoPurchase = defineOperation({
  id: 'v1_echo_purchase',
  method: 'POST',
  path: '/v1/echo_purchase',
  auth: 'secret',
  scope: 'purchase_intents:write',
  tag: 'Bench',
  summary: 'Echo a purchase',
  readOnly: true,
  body: PurchaseIntentCreate,
  responses: { 200: PurchaseIntentCreate },
  handle: async (_ctx, { body }) => reply(200, body),
})

const [state, kind] = process.argv.slice(2)
const config = roleConfig(state)
const { parts, log, sink, metrics } = await openRole(
  'bench',
  { ...config, metricsPort: null },
  'http://127.0.0.1',
)
const api = createApi(parts, {
  operations: [echoPurchase],
  anonymousDiscovery: true,
  onBug: (error) => log.error({ err: error }, 'a request failed on our side'),
  onRequest: kind === 'observed' ? observeRequests({ sink, metrics }) : () => undefined,
})
const url = await api.http.listen({ host: '127.0.0.1', port: 0 })
await readyUntilParentEnds({ url })
await api.stop()
await parts.close()
process.exit()
