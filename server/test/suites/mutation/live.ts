import { type Listed, missedBy } from './guard.ts'

/** Live mode moves the money of people, by cards that its rail keeps. */
export const liveGuards: readonly Listed[] = [
  ...missedBy(['test/flows/live-purchase.test.ts'], {
    'setup-is-used-once': [' and used_at is null'],
    'entered-and-agreed': 'never',
    'kept-cards-are-forgotten': [
      'await keeper.forget(row.kept_method, { mode, timeoutMs: vaultBudgetMs })',
      "{ kind: 'gone' as string }",
    ],
    'forgetful-rails-are-asked-by-the-call': [' || isForgetful'],
  }),
]
