export { invitePerson } from './members/invite-person.ts'
export { consoleOrigin } from './sign-in/console-origin.ts'
