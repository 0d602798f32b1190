import Type, { type Static } from 'typebox'
import type { CallContext } from '../../../contract/context.ts'
import { exampleId } from '../../../contract/examples.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { invalid, Problem, ValidationProblem } from '../../../contract/problem.ts'
import { Closed, Described, IdParam } from '../../../contract/schemas.ts'
import { subjectOf, takeRates } from '../../../platform/limits/rates.ts'
import { filled, given, not, Ruled, says, whenThen } from '../../../schema/rules.ts'
import { prepareQuote, QuoteCreate } from '../../trade/quotes/public.ts'
import { CheckKindSchema, type CheckRow, IntegrationCheck, renderCheck } from './integration-check.ts'
import { insertCheck, selectCheckSubject } from './integration-checks.sql.ts'
import { checkWorkKind } from './work.ts'

/** How many minutes a check waits for what it needs: an answer, a delivery's retry, a capture. */
const checkMinutesMax = 2

const rules = {
  unwanted: 'leave this out for a check of kind {kind}',
  other: 'this names another merchant than yours',
}

const CheckCreate = Ruled(
  Closed({
    kind: Described(
      CheckKindSchema,
      'What to check: that the destination answers quote requests, or orders.',
    ),
    destination_id: IdParam('The destination to check.', 'dest'),
    order_id: Type.Optional(IdParam('With `order`: the order of a test purchase at this merchant.', 'ord')),
    quote_request: Type.Optional(
      Described(QuoteCreate, 'With `quote`: what to ask for, with the fields of v1_create_quote.'),
    ),
  }),
  rules,
  [
    whenThen(says('kind', 'order'), given('order_id')),
    whenThen(says('kind', 'order'), not(given('quote_request', 'object'))),
    whenThen(says('kind', 'quote'), given('quote_request', 'object')),
    whenThen(says('kind', 'quote'), not(given('order_id'))),
  ],
)
type CheckCreate = Static<typeof CheckCreate>

export const createIntegrationCheck = defineOperation({
  id: 'v1_create_integration_check',
  method: 'POST',
  path: '/v1/merchant/integration_checks',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Merchant checks',
  summary: 'Run an integration check',
  description:
    'Shows whether a destination works; in test mode only. A `quote` check asks the designated responder for a new price, ' +
    'described in `quote_request`: it passes when that destination answers within ten seconds with its signature and a ' +
    'price. An `order` check looks at the order of a test purchase: it passes when this destination answered it with its ' +
    'signature and the test payment was captured; it waits two minutes for that. A check creates no order and moves no ' +
    'money. Next, read it with v1_get_integration_check until `status` is passed or failed.',
  body: CheckCreate,
  examples: {
    quote: {
      summary: 'Check that the destination answers quote requests',
      body: {
        kind: 'quote',
        destination_id: exampleId('dest'),
        quote_request: { merchant_slug: 'blue-mugs' },
      },
    },
    order: {
      summary: 'Check that it answered the order of a test purchase',
      body: { kind: 'order', destination_id: exampleId('dest'), order_id: exampleId('ord') },
    },
  },
  responses: { 201: IntegrationCheck },
  problems: [
    'test_mode_required',
    'not_found',
    'destination_archived',
    'destination_disabled',
    'merchant_setup_incomplete',
    'check_already_running',
  ],
  conflicts: { integration_checks_open: 'check_already_running' },
  async handle(ctx, { body }) {
    checkShape(body)
    const { accountId, mode } = ctx.tenant
    if (mode !== 'test') throw new Problem('test_mode_required')
    const subject = await ctx.reads.maybe(
      selectCheckSubject({
        account_id: accountId,
        mode,
        destination_id: body.destination_id,
        order_id: body.order_id ?? null,
      }),
    )
    if (!subject) throw new Problem('not_found', { param: 'destination_id' })
    if (body.kind === 'order' && subject.order_id === null)
      throw new Problem('not_found', { param: 'order_id' })
    if (subject.destination_status !== 'enabled')
      throw new Problem(`destination_${subject.destination_status}`)
    if (body.quote_request) await checkRequest(ctx, body.quote_request)
    await takeRates(ctx, [{ limit: 'integrationChecks', subject: subjectOf(ctx.tenant) }])
    const row: CheckRow = {
      account_id: accountId,
      mode,
      id: ctx.newId('chk'),
      kind: body.kind,
      destination_id: subject.destination_id,
      order_id: subject.order_id,
      quote_request: body.quote_request ?? null,
      quote_id: null,
      status: 'queued',
      steps: [],
      evidence: null,
      failure: null,
      settings: null,
      deadline_at: new Date(ctx.now.getTime() + checkMinutesMax * 60_000),
      finished_at: null,
      due_at: ctx.now,
      seq: 1,
      created_at: ctx.now,
      updated_at: ctx.now,
    }
    const check = renderCheck(row, subject.settings_now)
    ctx.tx.write(insertCheck(row))
    ctx.tx.emit({ type: 'integration_check.queued', aggregateId: row.id, sequence: 1, object: check })
    ctx.tx.wake(checkWorkKind)
    return reply(201, check)
  },
})

/** Each kind of check needs the field of its own subject, and accepts no other. */
function checkShape(body: CheckCreate): void {
  const [needed, unwanted] =
    body.kind === 'order'
      ? (['order_id', 'quote_request'] as const)
      : (['quote_request', 'order_id'] as const)
  const issues = [
    ...(body[needed] === undefined
      ? [{ type: 'missing', loc: ['body', needed], msg: 'Field required' }]
      : []),
    ...(body[unwanted] === undefined
      ? []
      : [
          {
            type: 'value_error',
            loc: ['body', unwanted],
            msg: `Value error, ${filled(rules.unwanted, { kind: body.kind })}`,
          },
        ]),
  ]
  if (issues.length > 0) throw new ValidationProblem(issues)
}

/** A merchant that checks its integration sends the request itself, so it must be one that a buyer could send. */
async function checkRequest(ctx: CallContext, request: QuoteCreate): Promise<void> {
  const { target } = await prepareQuote(ctx, request, ['body', 'quote_request'])
  if (target.merchant.account_id !== ctx.tenant.accountId) {
    throw invalid(['body', 'quote_request'], rules.other)
  }
}
