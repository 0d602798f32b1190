import { rankActions } from '../reading/action-of.ts'
import { assignFields } from '../reading/field-of.ts'
import type { Action, Control, PageSnapshot } from '../reading/page-snapshot.ts'
import { controlFor } from './card-fields.ts'

/** What a page asks of a customer who signs in; null: it does not ask for that. */
export type SignInForm = {
  readonly username: Control | null
  readonly password: Control | null
  readonly code: Control | null
  /** What sends it; null: only the Enter key does. */
  readonly button: Action | null
}

export function signInFormOf(page: PageSnapshot): SignInForm {
  const password = controlFor(page, 'password')
  const code = password === null ? controlFor(page, 'one_time_code') : null
  const username = code === null ? usernameOf(page, password) : null
  const form = (password ?? code ?? username)?.form ?? null
  return { username, password, code, button: buttonOf(page, form) }
}

/** A name is asked for in many words, and always right before the password; alone, where the password comes on the next page. */
function usernameOf(page: PageSnapshot, password: Control | null): Control | null {
  const fields = assignFields(page)
  const own = page.controls.filter(
    ({ kind, type, form, isDisabled, ref }) =>
      kind === 'text' &&
      type !== 'password' &&
      !isDisabled &&
      fields.get(ref) !== 'search' &&
      fields.get(ref) !== 'newsletter' &&
      (password === null || form === password.form),
  )
  const said = own.find(
    ({ autocomplete, ref }) => /\busername\b/.test(autocomplete) || fields.get(ref) === 'email',
  )
  if (said !== undefined) return said
  if (password === null) return null
  const before = page.controls.slice(0, page.controls.indexOf(password))
  return before.findLast((control) => own.includes(control)) ?? null
}

function buttonOf(page: PageSnapshot, form: number | null): Action | null {
  const ranked = [...rankActions(page, 'sign_in'), ...rankActions(page, 'continue')]
  const isButton = ({ role }: Action) => role !== 'link'
  const inForm = (action: Action) => form !== null && action.form === form && !action.isDisabled
  return (
    ranked.find((action) => inForm(action) && isButton(action)) ??
    page.actions.find((action) => inForm(action) && action.isSubmit) ??
    // Without a form around them, fields belong to the button that is called so.
    (form === null ? (ranked.find((action) => isButton(action) && action.form === null) ?? null) : null)
  )
}
