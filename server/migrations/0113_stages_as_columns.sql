-- # Stages as columns: what a cart waits for was one text with a ticket in it
set local lock_timeout = '400ms';

alter table carts
  -- Of an offer: when the merchant was asked last. Of room and rail: since when there is none.
  add column stage_since timestamptz,
  add column stage_until timestamptz,
  add column offer_tries smallint,
  add column room_tries smallint,
  add column sign_in_host text,
  add column code_until timestamptz,
  -- The page that waits for a code, or for what is in the ticket.
  add column page_session text,
  add column credential_ticket_id text collate "C";

update carts c set
  stage = p.part[1],
  stage_since = case p.part[1] when 'offer' then p.part[3] when 'room' then p.part[4] when 'rail' then p.part[2] end::timestamptz,
  stage_until = case p.part[1] when 'room' then p.part[5] when 'sign_in' then p.part[2] end::timestamptz,
  offer_tries = case when p.part[1] in ('offer', 'room') then p.part[2]::smallint end,
  room_tries = case p.part[1] when 'room' then p.part[6]::smallint end,
  sign_in_host = case p.part[1] when 'sign_in' then nullif(p.part[3], '-') end,
  code_until = case p.part[1] when 'sign_in' then p.part[4]::timestamptz end,
  page_session = nullif(case p.part[1] when 'offer' then p.part[5] when 'room' then p.part[8] when 'sign_in' then p.part[5] end, '-'),
  credential_ticket_id = case p.part[1] when 'offer' then p.part[4] when 'room' then p.part[7] end
from (
  select account_id, mode, id, string_to_array(stage, ' ') as part from carts where stage is not null
) p
where c.account_id = p.account_id and c.mode = p.mode and c.id = p.id;

-- Which of them go together. Every row has just been written so, and to look at them all would lock them all.
alter table carts add constraint carts_stage check (
  case
    when stage is null or stage = 'cleanup' then
      num_nonnulls(stage_since, stage_until, offer_tries, room_tries, sign_in_host, code_until, page_session, credential_ticket_id) = 0
    when stage = 'offer' then
      num_nonnulls(stage_since, offer_tries) = 2 and num_nonnulls(stage_until, room_tries, sign_in_host, code_until) = 0
      and (page_session is null or credential_ticket_id is not null)
    when stage = 'room' then
      num_nonnulls(stage_since, stage_until, offer_tries, room_tries) = 4 and num_nonnulls(sign_in_host, code_until) = 0
      and (page_session is null or credential_ticket_id is not null)
    when stage = 'sign_in' then
      stage_until is not null and num_nonnulls(stage_since, offer_tries, room_tries, credential_ticket_id) = 0
      and (code_until is null) = (page_session is null)
    when stage = 'rail' then
      stage_since is not null
      and num_nonnulls(stage_until, offer_tries, room_tries, sign_in_host, code_until, page_session, credential_ticket_id) = 0
    else false
  end
) not valid;
