-- # Chats
set local lock_timeout = '400ms';

-- A conversation of one profile with an agent that shops. The row is also the queue of the work: who has leased it answers its messages, one
-- after the other.
create table chats (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  profile_id text collate "C" not null,
  status text not null check (status in ('active', 'archived')),
  title text,
  -- What the integrator says about it to a model.
  context text,
  -- What thinks: `planner`, or the name of a model.
  model text not null,
  -- What the planner remembers.
  memory jsonb,
  last_message_at timestamptz,
  last_message_preview text,
  message_count integer not null default 0,
  -- What it has used: steps, tokens of models, and what these cost, in millionths of a minor unit.
  steps integer not null default 0,
  tokens bigint not null default 0,
  cost bigint not null default 0,
  -- The position of the newest event that streams send.
  position bigint not null default 0,
  seq integer not null,
  due_at timestamptz,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  step_failures integer not null default 0,
  step_failing_since timestamptz,
  step_error text,
  is_due boolean,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (account_id, mode, id),
  foreign key (account_id, mode, profile_id) references profiles
) with (fillfactor = 60);
create index chats_due_of_tenant on chats (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index chats_due_later on chats (mode, coalesce(due_at, 'infinity')) where not is_due;
create index chats_by_activity on chats (account_id, mode, coalesce(last_message_at, created_at) desc, id desc);
create index chats_of_profile on chats (account_id, mode, profile_id, coalesce(last_message_at, created_at) desc, id desc);
create index chats_age on chats (coalesce(last_message_at, created_at));
create trigger note_due before update on chats for each row execute function note_due();
create trigger note_due_of_new before insert on chats for each row execute function note_due_of_new();

-- What answers a message: it waits for its turn, is answered step by step, may wait for a purchase, and ends.
create table chat_runs (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  chat_id text collate "C" not null,
  -- The message that it answers, and the agent for which it acts: that of the key that wrote the message.
  message_id text collate "C" not null,
  key_id text collate "C" not null,
  -- The position of the last event of the chat before its own.
  follows bigint not null,
  status text not null check (status in ('queued', 'running', 'waiting', 'completed', 'stopped', 'failed')),
  -- When it began to wait for its turn.
  queued_at timestamptz not null,
  stop_asked_at timestamptz,
  -- The steps that are finished. A step that is done again has the same number, and its calls have the same keys.
  step integer not null default 0,
  tokens bigint not null default 0,
  -- The calls of the last thought that have no answer yet.
  calls jsonb not null default '[]',
  -- The message that is being written.
  answer_id text collate "C",
  ended_because text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ended_at timestamptz,
  primary key (account_id, mode, id),
  foreign key (account_id, mode, chat_id) references chats on delete cascade
) with (fillfactor = 60);
create index chat_runs_of_chat on chat_runs (account_id, mode, chat_id, queued_at, id);

-- The purchases that a run has made or goes on with, and what was said about each last. The run waits until all of them are over.
create table chat_purchases (
  account_id text collate "C" not null,
  mode mode not null,
  purchase_intent_id text collate "C" not null,
  run_id text collate "C" not null,
  chat_id text collate "C" not null,
  told text not null,
  is_over boolean not null,
  primary key (account_id, mode, purchase_intent_id, run_id),
  foreign key (account_id, mode, run_id) references chat_runs on delete cascade
);
create index chat_purchases_of_run on chat_purchases (account_id, mode, run_id);

create table chat_messages (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  chat_id text collate "C" not null,
  -- Its place in the chat, from 1.
  place integer not null,
  role text not null check (role in ('user', 'assistant')),
  status text not null check (status in ('writing', 'completed', 'stopped', 'failed')),
  parts jsonb not null,
  client_message_id text,
  run_id text collate "C" not null,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (account_id, mode, chat_id, place),
  foreign key (account_id, mode, chat_id) references chats on delete cascade
) with (fillfactor = 80);
create unique index chat_messages_id on chat_messages (account_id, mode, id);
create unique index chat_messages_of_client on chat_messages (account_id, mode, chat_id, client_message_id);

-- What streams send. A client that was away reads on where it was; after some days, it reads the messages.
create table chat_events (
  account_id text collate "C" not null,
  mode mode not null,
  chat_id text collate "C" not null,
  position bigint not null,
  run_id text collate "C" not null,
  type text not null,
  data text not null,
  created_at timestamptz not null,
  primary key (account_id, mode, chat_id, position),
  foreign key (account_id, mode, chat_id) references chats on delete cascade
);
create index chat_events_age on chat_events (created_at);

-- What models have used of an account's share of a day.
create table chat_days (
  account_id text collate "C" not null,
  mode mode not null,
  day date not null,
  tokens bigint not null,
  cost bigint not null,
  primary key (account_id, mode, day)
);
create index chat_days_age on chat_days (day);
