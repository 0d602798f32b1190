import { paidPaths } from '../../contract/business-address.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Business } from '../http/businesses.ts'
import type { Http, Surface, SurfaceContext } from '../http/surface.ts'
import { mountDocuments } from './documents.ts'
import { problemBody, refusedAnswer } from './mpp-answer.ts'
import type { Mpp, MppOptions, Offered } from './mpp-parts.ts'
import { mountRest } from './rest.ts'
import { mountTools } from './tools.ts'

/** The Machine Payments Protocol: each merchant sells to payers who answer a challenge, over REST and over tools. */
export function mppSurface(options: MppOptions): Surface {
  return {
    name: 'mpp',
    mount(http, context) {
      if (context.operations.length === 0) return
      const mpp = mppOf(options, http, context)
      mountDocuments(mpp)
      for (const [mode, path] of Object.entries(paidPaths) as [Business['mode'], string][]) {
        mountRest(mpp, mode, path)
        mountTools(mpp, mode, path)
      }
    },
  }
}

function mppOf(options: MppOptions, http: Http, context: SurfaceContext): Mpp {
  return {
    ...options,
    http,
    context,
    offered: offeredOf(context.operations),
    dialect: (refusal) => {
      const answer = refusedAnswer(refusal, options.problems)
      const { status, headers, code } = answer
      const type = { 'content-type': 'application/problem+json' }
      return { status, headers: { ...headers, ...type }, code, body: JSON.stringify(problemBody(answer)) }
    },
  }
}

function offeredOf(operations: readonly Operation[]): Offered {
  const named = (id: Operation['id']) => {
    const found = operations.find((operation) => operation.id === id)
    if (!found) throw new Error(`MPP has no operation ${id}`)
    return found
  }
  const create = named('mpp_create_order')
  return { create, quote: named('mpp_quote_order'), free: operations.filter((one) => one !== create) }
}
