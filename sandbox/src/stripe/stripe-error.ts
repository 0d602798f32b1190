type ErrorFields = Readonly<Record<string, unknown>> & { readonly message: string; readonly type?: string }

/** A refusal in Stripe's form: `{"error": {"type", "code", "message", …}}`. */
export class StripeError extends Error {
  readonly status: number
  readonly fields: ErrorFields

  constructor(status: number, fields: ErrorFields) {
    super(fields.message)
    this.status = status
    this.fields = { type: 'invalid_request_error', ...fields }
  }
}

export function noSuch(what: string, param: string, status = 400): StripeError {
  return new StripeError(status, { code: 'resource_missing', param, message: `No such ${what}` })
}
