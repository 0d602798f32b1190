-- What people look for old purchases by: the reference they gave, and the shops. Written by what follows the purchase's event, many at
-- once, and never changed: indexes of the purchases themselves would be paid for by every create, and again by every change.
create table purchase_terms (
  account_id text collate "C" not null,
  mode mode not null,
  term text collate "C" not null,
  intent_id text collate "C" not null,
  primary key (account_id, mode, term, intent_id)
);
insert into purchase_terms (account_id, mode, term, intent_id)
select distinct account_id, mode, term, id
from purchase_intents, unnest(array_append(merchants, reference_id)) as said (written), lower(written) as term
where term <> '';
