-- The principal that keys belong to: what policies and freezes name, and who acts in events. Its keys may come and go.
--
-- Processes of the version before this one run beside ours while it is rolled out. They know key ids alone, in policies.scope_key_ids and
-- controls.frozen_key_ids; ours know agents alone, in the columns beside them. Triggers keep each pair in step, whoever writes: the key
-- ids are always those of all keys of the agents. So neither side loses a cap or a freeze, nor does the other side's next key. A key that
-- one of theirs issues gets its agent here. These columns and triggers go once no such process can run any more.
set local lock_timeout = '400ms';

create table agents (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  name text not null,
  -- The one customer that it acts for. Never changes.
  profile_id text collate "C",
  -- Where its keys went, and what its id has meant since.
  joined_into text collate "C",
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, mode, id),
  foreign key (account_id, mode, profile_id) references profiles,
  foreign key (account_id, mode, joined_into) references agents
);

-- One for each key there is. A key that was rolled before this has an agent of its own; `prokura keys join` joins the two.
insert into agents (account_id, mode, id, name, seq, created_at, updated_at)
select account_id, mode, 'agent_' || substr(id, 5), name, 0, created_at, created_at from api_keys;

alter table api_keys add column agent_id text collate "C";
update api_keys set agent_id = 'agent_' || substr(id, 5);
alter table api_keys
  alter column agent_id set not null,
  add foreign key (account_id, mode, agent_id) references agents;

alter table policies
  alter column scope_key_ids set default '{}',
  add column scope_agent_ids text[] not null default '{}';
alter table controls
  add column frozen_agent_ids text[] not null default '{}';

-- In the order of the keys. A key that is not there (nothing deletes one) would have had this agent.
create function agents_of_keys(account text, in_mode mode, keys text[]) returns text[] language sql stable as $$
  select coalesce(array_agg(agent order by first_place), '{}') from (
    select coalesce(k.agent_id, 'agent_' || substr(named.id, 5)) as agent, min(named.place) as first_place
    from unnest(keys) with ordinality as named (id, place)
    left join api_keys k on k.account_id = account and k.mode = in_mode and k.id = named.id
    group by 1) as found
$$;

-- Revoked ones too: a purchase stays that of the key that made it. Never none, which would be no restriction: then the agents, which match
-- no key. Holds the agents, so that a key that is issued meanwhile waits, and finds what names its agent.
create function keys_of_agents(account text, in_mode mode, agent_ids text[]) returns text[] language plpgsql as $$
declare
  keys text[];
begin
  perform 1 from agents where account_id = account and mode = in_mode and id = any(agent_ids) order by id for share;
  select array_agg(id order by id) into keys
  from api_keys where account_id = account and mode = in_mode and agent_id = any(agent_ids);
  return coalesce(keys, agent_ids);
end
$$;

update policies set scope_agent_ids = agents_of_keys(account_id, mode, scope_key_ids) where cardinality(scope_key_ids) > 0;
update controls set frozen_agent_ids = agents_of_keys(account_id, mode, frozen_key_ids) where cardinality(frozen_key_ids) > 0;

create function give_key_its_agent() returns trigger language plpgsql as $$
declare
  rolled record;
begin
  if new.agent_id is null then
    -- Issued by the version before this one. When that rolls a key, the old one was revoked in the same transaction, at the same time.
    select k.agent_id, a.profile_id into rolled
    from api_keys k
    join agents a on a.account_id = k.account_id and a.mode = k.mode and a.id = k.agent_id
    where k.account_id = new.account_id and k.mode = new.mode and k.revoked_at = new.created_at
      and k.kind = new.kind and k.name = new.name and k.preset = new.preset
    limit 1;
    if found then
      new.agent_id := rolled.agent_id;
      if rolled.profile_id is not null then new.hash := sha256(new.hash); end if;
    else
      new.agent_id := 'agent_' || substr(new.id, 5);
      insert into agents (account_id, mode, id, name, seq, created_at, updated_at)
      values (new.account_id, new.mode, new.agent_id, new.name, 0, new.created_at, new.created_at);
    end if;
  end if;
  perform 1 from agents where account_id = new.account_id and mode = new.mode and id = new.agent_id for no key update;
  return new;
end
$$;
create trigger give_key_its_agent before insert on api_keys for each row execute function give_key_its_agent();

-- Control before policies, and policies by id: everybody's order.
create function name_key_beside_its_agent() returns trigger language plpgsql as $$
begin
  update controls set frozen_key_ids = frozen_key_ids || new.id
  where account_id = new.account_id and mode = new.mode and new.agent_id = any(frozen_agent_ids) and new.id <> all(frozen_key_ids);
  perform 1 from policies
  where account_id = new.account_id and mode = new.mode and new.agent_id = any(scope_agent_ids) order by id for no key update;
  update policies set scope_key_ids = scope_key_ids || new.id
  where account_id = new.account_id and mode = new.mode and new.agent_id = any(scope_agent_ids) and new.id <> all(scope_key_ids);
  return null;
end
$$;
create trigger name_key_beside_its_agent after insert or update of agent_id on api_keys
  for each row execute function name_key_beside_its_agent();

-- Who writes agents is of this version, who changes key ids alone of the one before. A key stands for its agent, with all keys of it.
create function keep_scope_in_step() returns trigger language plpgsql as $$
declare
  is_by_keys boolean;
begin
  if tg_op = 'INSERT' then
    -- Both: a copy that is restored.
    if cardinality(new.scope_agent_ids) > 0 and cardinality(new.scope_key_ids) > 0 then return new; end if;
    is_by_keys := cardinality(new.scope_agent_ids) = 0;
  else
    is_by_keys := new.scope_agent_ids = old.scope_agent_ids and new.scope_key_ids <> old.scope_key_ids;
  end if;
  if is_by_keys then new.scope_agent_ids := agents_of_keys(new.account_id, new.mode, new.scope_key_ids); end if;
  new.scope_key_ids := keys_of_agents(new.account_id, new.mode, new.scope_agent_ids);
  return new;
end
$$;
create trigger keep_scope_in_step before insert or update of scope_key_ids, scope_agent_ids on policies
  for each row when (pg_trigger_depth() = 0) execute function keep_scope_in_step();

-- As above, but that a key which is unfrozen unfreezes its agent.
create function keep_freeze_in_step() returns trigger language plpgsql as $$
declare
  unfrozen text[];
begin
  if new.frozen_agent_ids = old.frozen_agent_ids and new.frozen_key_ids <> old.frozen_key_ids then
    unfrozen := agents_of_keys(new.account_id, new.mode, array(
      select id from unnest(old.frozen_key_ids) as id where id <> all(new.frozen_key_ids)));
    new.frozen_agent_ids := array(
      select id from unnest(agents_of_keys(new.account_id, new.mode, new.frozen_key_ids)) as id where id <> all(unfrozen));
  end if;
  new.frozen_key_ids := keys_of_agents(new.account_id, new.mode, new.frozen_agent_ids);
  return new;
end
$$;
create trigger keep_freeze_in_step before update of frozen_key_ids, frozen_agent_ids on controls
  for each row when (pg_trigger_depth() = 0) execute function keep_freeze_in_step();
