-- # One form of the windows of policies, and no shim for stored cards
set local lock_timeout = '400ms';

-- The windows of a policy are rows of `policy_windows` alone. No version that reads `policy_counters` can run beside this one.
drop trigger counter_of_policy on policies;
drop trigger counter_of_new_windows on policy_windows;
drop trigger counter_of_windows on policy_windows;
alter table policy_reservations
  drop constraint policy_reservations_account_id_mode_policy_id_fkey,
  -- Older rows hold it, since each counter was a policy's; and to look at them all would lock them all.
  add constraint policy_reservations_of_policy foreign key (account_id, mode, policy_id) references policies not valid;
drop table policy_counters;
drop function windows_from_counter(), counter_from_windows(), counter_of_policy(), counter_is_there();

-- No version that writes cards here can run any more either. The schema stays, empty: the version before still names it in its grants.
drop view vault.cards;
drop function keep_no_card();
