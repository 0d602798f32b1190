import type { CallContext } from '../../../contract/context.ts'
import { definePort } from '../../../contract/port.ts'
import type { SourceProduct } from '../sources/public.ts'
import type { MerchantRef } from './search-request.ts'

/** A shop that has no catalog here, whose pages can be looked at. */
export type ShopOfPage = {
  /** The id of its entry in the registry. */
  readonly id: string
  readonly name: string | null
  readonly domain: string
}

/** What a look at a page has shown. `sold` null: nothing is sold there, or nothing of it can be seen. */
export type PageLook =
  | { readonly kind: 'seen'; readonly sold: SoldAtPage | null }
  | { readonly kind: 'unavailable' }
  /** Somebody is looking. */
  | { readonly kind: 'pending'; readonly retryAfterSeconds: number }

type SoldAtPage = {
  readonly product: SourceProduct
  /** Whether its shop was asked over UCP, or its page was read. */
  readonly source: 'public_ucp' | 'page'
  readonly isPayable: boolean
}

type Asking = Pick<
  CallContext,
  'tenant' | 'reads' | 'now' | 'tx' | 'newId' | 'hold' | 'settings' | 'waitFor' | 'viewer' | 'actor'
>

/** Looks at addresses of shops elsewhere. */
export interface ProductPages {
  /** The shop at the address, where the registry knows it and it is the one that is named; null: nobody looks there. */
  shopAt(
    ctx: Pick<Asking, 'tenant' | 'reads' | 'viewer' | 'actor'>,
    url: string,
    named: MerchantRef,
  ): Promise<ShopOfPage | null>
  /** What is known of the address. Where nothing is, a look begins with the commit of the call, and `settled` waits for it. */
  look(ctx: Asking, url: string): Promise<{ now: PageLook; settled: (() => Promise<PageLook>) | null }>
}

export const ProductPages = definePort<ProductPages>('product pages')
