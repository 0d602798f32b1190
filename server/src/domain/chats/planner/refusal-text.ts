import { isObject } from '../../../schema/schema-node.ts'

/** The message of a refusal, as people can read it. */
export function refusalText(result: unknown): string {
  const detail = isObject(result) ? result.detail : null
  if (isObject(detail) && typeof detail.message === 'string') return detail.message
  const [first] = Array.isArray(detail) ? detail : []
  return isObject(first) && typeof first.msg === 'string' ? first.msg : ''
}
