/** What a reader of the reference needs before the first operation. The viewer makes a section of each heading. */
export const introduction = `Prokura buys things for people, and never for more than they allow: an agent asks, a policy or a person decides, and the purchase cannot cost more than was decided. Merchants sell through it.

Every operation is also a tool of the MCP server at \`/mcp/v1\`, unless \`x-mcp-tool\` is false. Examples belong together: what is shown of a purchase and its order is one purchase, of two mugs for $19.99 each, from the shop's first item to the parcel.

## Keys

Send a key with each request: \`Authorization: Bearer pr_sk_test_…\`. A key fixes the account and the mode.

| key | for | may |
|---|---|---|
| secret, preset \`full\` | your backend | everything in its mode |
| secret, preset \`buyer_agent\` | an agent | search, ask to buy, follow, cancel. It cannot approve, write policies, add cards or make keys |
| secret, presets \`merchant_backend\`, \`read_only\`, \`discovery\` | a shop's backend, a report, a search | what the name says |
| publishable, \`pr_pk_…\` | a web page of its origins | search what is published |

Keys are made on the command line, with \`prokura keys create\`. No operation makes one, so an agent cannot either. A wrong key is 401, and a right one without the scope is 403 \`insufficient_scope\`.

## Modes

\`test\` and \`live\` never meet: an id of the other mode answers 404, like an id of another account and one that never existed. Test mode charges nobody; its cards are identifiers such as \`visa_auto_approved\`. In live mode real cards are charged, where the operator has switched it on.

## Amounts and times

Amounts are integers in minor units of their currency: 1999 is $19.99, or ¥1999. Times are RFC 3339 in UTC.

## Idempotency

Send \`Idempotency-Key\` with every POST that changes something, and the same key again if no answer came. The same request gets the same answer, with \`Idempotent-Replayed: true\`, and nothing is done twice. Another request under the same key is 409 \`idempotency_key_conflict\`. Keys are kept for 30 days. A purchase's key never buys twice.

## Errors

A 422 lists every fault of the request: \`{"detail": [{"type": "missing", "loc": ["body", "items"], "msg": "Field required"}]}\`. Everything else has one code of a closed list: \`{"detail": {"code": "not_found", "message": "…", "param": null, "request_id": "req_…", "retryable": false}}\`.

| you see | do this |
|---|---|
| no answer, 5xx, 429, \`retryable: true\` | send the same again with the same idempotency key, after \`Retry-After\` |
| 401 | use another key: this one is wrong, revoked or expired |
| 403 \`insufficient_scope\` | by design for agents: let a person or a policy decide |
| 404 | check the id, the account and the mode |
| 409 | do what \`message\` says |
| 422 | correct the request; \`loc\` says where |

Each operation lists its codes. Keep \`Request-Id\`: logs, events and the audit carry it.

## Changes

Answers may gain fields and values: ignore what you do not know. Requests with an unknown field are a 422. In a change, null clears a field that can be empty; anywhere else it means the same as leaving the field out.
`
