-- # Names that a folder brings
set local lock_timeout = '400ms';

-- Steps of purchases and ways of buying are listed once, in code, where the type checker holds every list against them; a list here was
-- another one that a new folder had to change. A name stays a name.
alter domain effect_step drop constraint effect_step_check;
alter domain effect_step add constraint effect_step_check check (value ~ '^[a-z][a-z_]*$') not valid;
alter domain buying_channel drop constraint buying_channel_check;
alter domain buying_channel add constraint buying_channel_check check (value ~ '^[a-z][a-z_]*$') not valid;
alter domain registry_channel drop constraint registry_channel_check;
alter domain registry_channel add constraint registry_channel_check check (value ~ '^[a-z][a-z_]*$') not valid;
