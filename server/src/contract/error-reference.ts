import { problemCodes } from './problem-codes.ts'

/** The reference page of problem codes, in Markdown. */
export function errorReference(): string {
  const rows = Object.entries(problemCodes)
    .map(([code, facts]) => ({ code, ...facts }))
    .sort((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1))
    .map(
      ({ code, status, retryable, message }) =>
        `| ${status} | \`${code}\` | ${retryable ? 'yes' : 'no'} | ${message} |`,
    )
  return `${intro}\n${rows.join('\n')}\n`
}

const intro = `# Errors

Generated from \`server/src/contract/problem-codes.ts\` by \`prokura openapi\`.

Every error body has one member, \`detail\`. Two shapes:

- **422** lists every fault of the request, as FastAPI does. \`loc\` begins with \`body\`, \`query\`, \`path\` or \`header\`; the rejected
  value is never repeated.

  \`\`\`json
  {"detail": [{"type": "missing", "loc": ["body", "items", 0, "quantity"], "msg": "Field required"}]}
  \`\`\`

- **Everything else** names one code from the closed list below.

  \`\`\`json
  {"detail": {"code": "not_found", "message": "${problemCodes.not_found.message}", "param": "profile_id", "request_id": "req_…", "retryable": false}}
  \`\`\`

\`param\` is the field that names what was refused, or null. \`retryable\` says whether the same request may succeed later without a
change. A 429 also has \`limit\`, \`window_seconds\`, \`retry_after_seconds\` and \`scope\`, and the headers \`Retry-After\`,
\`X-RateLimit-Limit\` and \`X-RateLimit-Window\`. A 503 has \`Retry-After\` too. An id of another account or mode answers exactly like one that never existed.

Over MCP an error is a result with \`isError: true\`, the same body as \`structuredContent\`, and the status in \`_meta.http_status\`.

| Status | Code | Retryable | Message |
|---|---|---|---|`
