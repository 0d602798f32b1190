import type { TestApp } from '../../harness/app.ts'
import { operationsOfKeys } from '../operations-of-keys.ts'
import { pathParams } from '../scenes.ts'

/** A percent-encoded NUL passes every scan of JSON. The work of an operation on a refused request must not fail on it either. */
export function nulCases(app: TestApp): { name: string; bytes: string[]; statuses: number[] }[] {
  const { host } = new URL(app.url)
  return operationsOfKeys.flatMap((operation) =>
    pathParams(operation).map((param) => {
      const path = operation.path.replaceAll(/\{([a-z_]+)\}/g, (_, name) => (name === param ? 'a%00b' : 'a'))
      const [type = 'application/json'] = Object.keys(operation.content ?? {})
      const lines = [
        `${operation.method} ${path} HTTP/1.1`,
        `Host: ${host}`,
        `Authorization: Bearer ${app.account.keys.secret_test}`,
        ...(operation.method === 'GET' ? [] : [`Content-Type: ${type}`, 'Content-Length: 2']),
      ]
      const body = operation.method === 'GET' ? '' : '{}'
      return {
        name: `a NUL in ${param} of ${operation.id}`,
        bytes: [`${lines.join('\r\n')}\r\n\r\n${body}`],
        statuses: [404, 422],
      }
    }),
  )
}
