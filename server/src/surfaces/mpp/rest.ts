import type { Operation } from '../../contract/operation.ts'
import { parseJson } from '../../schema/strict-json.ts'
import type { Business } from '../http/businesses.ts'
import type { Exchange } from '../http/exchange.ts'
import { requireBusiness } from '../http/find-business.ts'
import { readRawBody } from '../http/read-raw-body.ts'
import { type MppAnswer, problemBody } from './mpp-answer.ts'
import type { Mpp } from './mpp-parts.ts'
import { type Asked, runFree, runPaid } from './run-paid.ts'

/** Every operation that a merchant offers, below its address. */
export function mountRest(mpp: Mpp, mode: Business['mode'], at: string): void {
  const { create, free } = mpp.offered
  const mount = (operation: Operation, run: (asked: Asked) => Promise<MppAnswer>) =>
    mpp.http.route({
      methods: [operation.method],
      path: `${at}/{slug}${operation.path}`,
      dialect: mpp.dialect,
      serve: (exchange) => serve(mpp, { exchange, operation, mode, run }),
    })
  mount(create, (asked) => runPaid(mpp, asked))
  for (const operation of free) mount(operation, (asked) => runFree(mpp, operation, asked))
}

type Serving = {
  exchange: Exchange
  operation: Operation
  mode: Business['mode']
  run: (asked: Asked) => Promise<MppAnswer>
}

async function serve(mpp: Mpp, { exchange, operation, mode, run }: Serving): Promise<void> {
  const { edge } = mpp.http
  const { slug, ...path } = exchange.path
  let raw: Uint8Array
  let business: Business
  try {
    raw = await readRawBody(mpp.http, exchange)
    business = await requireBusiness(mpp.findBusiness, mode, slug)
  } catch (error) {
    return edge.refuse(exchange, error, { operation })
  }
  const { authorization, 'idempotency-key': key } = exchange.request.headers
  const parsed = raw.length === 0 ? null : parseJson(raw)
  const answer = await run({
    exchange,
    business,
    credential: authorization,
    idempotencyKey: typeof key === 'string' ? key : undefined,
    path,
    query: exchange.query,
    body: parsed?.ok ? parsed.value : undefined,
    bodyError: parsed && !parsed.ok ? parsed.error : null,
    rawBody: raw,
    coerce: true,
  })
  edge.write(exchange, said(answer))
}

const problemJson = { 'content-type': 'application/problem+json' }

function said(answer: MppAnswer) {
  switch (answer.kind) {
    case 'document':
      return { status: answer.status, headers: answer.headers, body: answer.body }
    case 'paid': {
      const headers = { 'cache-control': 'private', 'payment-receipt': answer.receipt.header }
      return { status: 201, headers, body: answer.body }
    }
    case 'payment': {
      const asked = answer.challenges.map(({ header }) => header).join(', ')
      const headers = { ...problemJson, 'cache-control': 'no-store', 'www-authenticate': asked }
      return { status: 402, headers, body: JSON.stringify(problemBody(answer)) }
    }
    case 'refused': {
      const headers = { ...answer.headers, ...problemJson }
      return { status: answer.status, headers, body: JSON.stringify(problemBody(answer)) }
    }
    default:
      return answer satisfies never
  }
}
