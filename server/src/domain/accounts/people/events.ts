import { defineEvent, type TypesOf } from '../../../contract/event.ts'
import type { Person } from './person.ts'

const personEvent = defineEvent<Person>()

/** What can happen to the people of an account. */
export const peopleEvents = {
  'person.invited': personEvent({ summary: 'A person was invited to the account.' }),
  'person.signed_in': personEvent({ summary: 'A person signed in.' }),
  'person.role_changed': personEvent({ summary: 'A person may do other things.' }),
  'person.suspended': personEvent({ summary: 'A person may do nothing until it is lifted.' }),
  'person.reactivated': personEvent({ summary: 'A suspended person may act again.' }),
  'person.passkey_added': personEvent({ summary: 'A person added a passkey.' }),
  'person.passkey_removed': personEvent({ summary: 'A person removed a passkey.' }),
}

declare module '../../../contract/event.ts' {
  interface Events extends TypesOf<typeof peopleEvents> {}
}
