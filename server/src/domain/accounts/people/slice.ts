import { defineIds } from '../../../contract/ids.ts'
import { bind } from '../../../contract/port.ts'
import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'
import { StepUps } from '../../../platform/calls/confirm.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { peopleEvents } from './events.ts'
import { createPerson } from './members/create-person.ts'
import { listPeople } from './members/list-people.ts'
import { updatePerson } from './members/update-person.ts'
import { addPasskey, askForPasskey, listOwnPasskeys, removePasskey } from './sign-in/own-passkeys.ts'
import {
  endOtherSessions,
  endSession,
  getOwnSession,
  listOwnSessions,
  signOut,
} from './sign-in/own-session.ts'
import { askToSignIn, signInByPasskey } from './sign-in/sign-in-by-passkey.ts'
import { lookAtSignInLink, signInByLink } from './sign-in/sign-in-links.ts'
import { sweepSignIns } from './sign-in/sign-ins.sql.ts'
import { stepUps } from './step-up/step-ups.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  per: { names: 'a person' },
  ses: { names: 'a session of a person' },
  chal: { names: 'a question to a passkey' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

declare module '../../../contract/ids.ts' {
  interface PersonPrefixes {
    per: true
  }
}

/** What keys and people may be allowed here. */
const scopes = defineScopes({
  'people:read': { toolsets: ['admin'], isWithheld: true, isOfAccount: true },
  'people:write': { toolsets: ['admin'], isForPeople: true, isOfAccount: true },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
  sign_in_failed: {
    status: 403,
    retryable: false,
    message:
      'This does not sign anybody in: the link was used or is too old, the passkey is not known here, or its person may not act. Ask the operator of this installation for a new link.',
  },
  not_a_member: {
    status: 403,
    retryable: false,
    message: 'You are no member of this account. Choose one of yours.',
  },
  passkey_refused: {
    status: 409,
    retryable: false,
    message: 'The browser has made no passkey for this question. Ask again.',
  },
  last_passkey: {
    status: 409,
    retryable: false,
    message: 'This is your only passkey, and nothing else lets you confirm. Add another one first.',
  },
  already_a_member: { status: 409, retryable: false, message: 'This person is a member of the account.' },
  owner_required: {
    status: 403,
    retryable: false,
    message: 'Only an owner makes, changes or suspends an owner.',
  },
  last_owner: {
    status: 409,
    retryable: false,
    message: 'This is the last owner of the account. Make another person an owner first.',
  },
  not_active_yet: {
    status: 409,
    retryable: false,
    message: 'This person has not signed in yet. They become active when they use their invitation.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}

export const people = defineSlice({
  name: 'accounts/people',
  about: 'Knows the people of an account, signs them in, and has them confirm what they decide.',
  needs: ['accounts/api-keys'],
  tables: [
    'people',
    'memberships',
    'sign_in_links',
    'person_passkeys',
    'person_sessions',
    'passkey_challenges',
  ],
  ids,
  scopes,
  problems,
  tags: {
    People: 'Who may sign in to the account, and what they may do there.',
    Console: 'What the console asks besides: signing in, sessions, passkeys.',
  },
  events: peopleEvents,
  operations: [
    listPeople,
    createPerson,
    updatePerson,
    lookAtSignInLink,
    signInByLink,
    askToSignIn,
    signInByPasskey,
    getOwnSession,
    listOwnSessions,
    endSession,
    endOtherSessions,
    signOut,
    listOwnPasskeys,
    askForPasskey,
    addPasskey,
    removePasskey,
  ],
  sweeps: sweepSignIns,
  binds: [bind(StepUps, stepUps)],
})
