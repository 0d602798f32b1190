import Type, { type Static } from 'typebox'
import { Closed, Named, OneOf } from '../../../contract/schemas.ts'
import type { Source, SourceAnswer } from '../sources/public.ts'
import { sourceKinds } from './product.ts'

/** How a source that was searched answered. */
export const SourceReport = Named(
  'CatalogSource',
  Closed(
    {
      id: Type.String({ description: 'The name of the source.' }),
      kind: OneOf(sourceKinds, {
        description: 'Merchants of this service, a public UCP catalog, or a global catalog.',
      }),
      status: OneOf(['ok', 'partial', 'timeout', 'error', 'skipped'], {
        description: 'How its search ended.',
      }),
      returned: Type.Integer({ minimum: 0, description: 'How many products of this page are from it.' }),
      latency_ms: Type.Integer({ minimum: 0, description: 'How long it took, in milliseconds.' }),
      error_code: Type.Optional(
        Type.String({ description: 'Why its status is not `ok`, for programs, such as `unreachable`.' }),
      ),
    },
    { description: 'A source that was searched.' },
  ),
)
export type SourceReport = Static<typeof SourceReport>

export function sourceReport(
  { source, status, errorCode, latencyMs }: SourceAnswer,
  returned: number,
): SourceReport {
  return {
    id: source.id,
    kind: source.kind,
    status,
    returned,
    latency_ms: latencyMs,
    ...(errorCode === null ? {} : { error_code: errorCode }),
  }
}

/** A source that was not asked. */
export function skippedReport({ id, kind }: Source, errorCode: string): SourceReport {
  return { id, kind, status: 'skipped', returned: 0, latency_ms: 0, error_code: errorCode }
}
