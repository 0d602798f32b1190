import type { Call, NotNow, PaymentRail } from './port.ts'

/** This process does not have the issuer: nothing is decided, and another process may have it. */
const missing: NotNow = { kind: 'not_now', reason: 'misrouted', retryAfterSeconds: null }

/** Payment networks begin the ids of shared payment tokens like this. No id of a rail does. */
function isToken(reference: string): boolean {
  return reference.startsWith('spt_')
}

/**
 * The rail of a mode, and beside it the issuer of shared payment tokens, which pays merchants that take these alone. Everything about such
 * a token is asked of its issuer, and everything else of the rail. Null: nobody issues any here.
 */
export function issuingTokens(rail: PaymentRail, issuer: PaymentRail | null): PaymentRail {
  return {
    ...rail,
    async issueCredential(input, call) {
      if (input.seller === undefined) return await rail.issueCredential(input, call)
      return issuer === null ? missing : await issuer.issueCredential(input, call)
    },
    async revoke(input, call) {
      if (!isToken(input.reference)) return await rail.revoke(input, call)
      return issuer === null ? missing : await issuer.revoke(input, call)
    },
    async get(kind, reference, call) {
      if (!isToken(reference)) return await rail.get(kind, reference, call)
      return issuer === null ? missing : await issuer.get(kind, reference, call)
    },
    async ask(key, call, sent) {
      // guard revoked-tokens-are-asked-of-their-issuer: the rail knows nothing of a token, so it would never be known to have ended
      const isRevoked = sent?.step === 'revoke' && isToken(sent.input.reference)
      const isIssued = sent?.step === 'issue_credential' && sent.input.seller !== undefined
      if (!isIssued && !isRevoked) return await rail.ask(key, call, sent)
      return issuer === null ? missing : await issuer.ask(key, call, sent)
    },
    async close(sent, call: Call) {
      const isIssued = sent.step === 'issue_credential' && sent.input.seller !== undefined
      if (!isIssued) return await rail.close(sent, call)
      return issuer === null ? missing : await issuer.close(sent, call)
    },
  }
}
