import { commonProblems, type ProblemCatalog } from './problem-codes.ts'

/** The reference page of problem codes, in Markdown. */
export function errorReference(problems: ProblemCatalog): string {
  const rows = [...problems].map(
    ([code, { status, retryable, message }]) =>
      `| ${status} | \`${code}\` | ${retryable ? 'yes' : 'no'} | ${message} |`,
  )
  return `${intro}\n${rows.join('\n')}\n`
}

const intro = `# Errors

Generated from \`server/src/contract/problem-codes.ts\` and the \`problems\` of the slices by \`prokura openapi\`.

Every error body has one member, \`detail\`, in one of two shapes. (One 422 is no error body: a quote that lacks what the merchant must
know answers with the quote itself, \`requires_input\`.)

- **422** lists every fault of the request at once, as FastAPI does. \`loc\` begins with \`body\`, \`query\`, \`path\` or \`header\`. The answer never
  repeats the rejected value.

  \`\`\`json
  {"detail": [{"type": "missing", "loc": ["body", "items", 0, "quantity"], "msg": "Field required"}]}
  \`\`\`

- **Every other error** names one code from the list below.

  \`\`\`json
  {"detail": {"code": "not_found", "message": "${commonProblems.not_found.message}", "param": "profile_id", "request_id": "req_…", "retryable": false}}
  \`\`\`

\`param\` is the field that was refused, or null. \`retryable\` says whether the same request may succeed later without a
change: send it again with the same idempotency key. A 429 also has \`limit\`, \`window_seconds\`, \`retry_after_seconds\` and \`scope\`, and the headers \`Retry-After\`,
\`X-RateLimit-Limit\` and \`X-RateLimit-Window\`. A 503 has \`Retry-After\` too. An id of another account or mode answers exactly like one that never existed.

Over MCP a refused call is a result with \`isError: true\`: the same body as JSON in its text, the status in \`_meta.http_status\` and
the seconds of \`Retry-After\` in \`_meta.retry_after\`. It has no \`structuredContent\`, which clients would hold against the schema of
success. What refuses the whole request, such as a key that does not exist, is a JSON-RPC error with that body in \`error.data\`.

| Status | Code | Retryable | Message |
|---|---|---|---|`
