import { businessPaths } from '../../contract/business-address.ts'
import type { Operation } from '../../contract/operation.ts'
import { isShoppingTool, shoppingOperation } from '../../protocols/ucp/shopping-operations.ts'
import type { Offer } from '../../protocols/ucp/write-profile.ts'
import type { Business } from '../http/businesses.ts'
import type { Http, Surface, SurfaceContext } from '../http/surface.ts'
import { mountBusinessProfiles } from './business-profiles.ts'
import { mountDeprecatedHandler } from './deprecated-handler.ts'
import { mountMcp } from './mcp.ts'
import { mountOrderMessages } from './order-messages.ts'
import { mountPaymentHandlers } from './payment-handlers.ts'
import { mountPlatformProfile } from './platform-profile.ts'
import { mountRest } from './rest.ts'
import { runOperation } from './run-operation.ts'
import { refusalOf, type UcpAnswer } from './ucp-answer.ts'
import type { OfferedOperation, Ucp, UcpOptions } from './ucp-parts.ts'

/**
 * The Universal Commerce Protocol: the profile of the service as a platform, and each merchant as a business, over REST and over tools.
 */
export function ucpSurface(options: UcpOptions): Surface {
  return {
    name: 'ucp',
    mount(http, context) {
      const ucp = ucpOf(options, http, context)
      mountPlatformProfile(ucp)
      mountOrderMessages(ucp)
      mountDeprecatedHandler(http, context.publicUrl)
      mountPaymentHandlers(ucp)
      for (const [mode, path] of Object.entries(businessPaths) as [Business['mode'], string][]) {
        mountBusinessProfiles(ucp, mode, path)
        mountRest(ucp, mode, path)
        mountMcp(ucp, mode, path)
      }
    },
  }
}

function ucpOf(options: UcpOptions, http: Http, context: SurfaceContext): Ucp {
  const { problems, business } = options
  const offered = context.operations.map(offeredOf)
  const capabilities = [...new Set(offered.map(({ shopping }) => shopping.capability))].map((name) => ({
    name,
  }))
  const offer: Offer = {
    transports: ['rest', 'mcp'],
    capabilities: [...capabilities, ...business.extensions],
    handlers: () => ({}),
  }
  const shared = { ...options, http, context, offered, offer, handlers: business.handlers }
  return {
    ...shared,
    dialect: (refusal) => {
      const { status, headers, code, content } = errorOf(refusalOf(refusal, problems))
      return { status, headers, code, body: JSON.stringify({ code, content }) }
    },
    run: (running) => runOperation(shared, running),
  }
}

function offeredOf(operation: Operation): OfferedOperation {
  const tool = operation.id.replace(/^ucp_/, '')
  if (!isShoppingTool(tool)) throw new Error(`UCP has no operation ${tool}`)
  const shopping = shoppingOperation(tool)
  if (operation.method !== shopping.method || operation.path !== shopping.path)
    throw new Error(`${operation.id} is ${shopping.method} ${shopping.path}`)
  return { shopping, operation }
}

function errorOf(answer: UcpAnswer) {
  if (answer.kind === 'document') throw new Error('a refusal is no document')
  return answer
}
