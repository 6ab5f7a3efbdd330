-- EV charging: chargers and what they say, tags and their groups, transactions with the first answer to each message about them, the registers
-- that money is counted from, commands to chargers, and each charger's newest raw frames.

create table charger (
  customer_id uuid not null references customer,
  charger_id uuid not null,
  -- What a charger calls itself in its address; there is one door for all customers.
  identity text not null unique check (identity ~ '^[A-Za-z0-9_.:=*+|@-]{1,48}$'),
  name text not null,
  description text not null default '',
  licence_id uuid not null,
  charger_type text not null check (charger_type in ('AC', 'DC')),
  connectors integer not null check (connectors between 1 and 32),
  max_kw numeric(9, 3) not null check (max_kw > 0),
  security_profile integer not null check (security_profile between 1 and 3),
  password_hash text not null,
  -- The key before the last change, which still opens until then.
  previous_hash text,
  previous_until timestamptz,
  simulated boolean not null default false,
  position integer not null,
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  -- What it said when it booted.
  vendor text,
  model text,
  serial_number text,
  firmware text,
  iccid text,
  meter_serial_number text,
  booted_at timestamptz,
  -- Its connection: of two, the one with the higher generation is the newer.
  version text,
  generation integer not null default 0,
  online boolean not null default false,
  connected_at timestamptz,
  last_seen_at timestamptz,
  primary key (customer_id, charger_id),
  foreign key (customer_id, licence_id) references licence,
  check ((previous_hash is null) = (previous_until is null))
);
call scope_by_customer('charger');

create trigger tell_charger after insert or delete on charger for each row execute function tell_change('chargers', 'customer_id');
create trigger tell_charger_change after update of password_hash, previous_hash, security_profile, enabled, max_kw, identity on charger
  for each row execute function tell_change('chargers', 'customer_id');

-- The newest state of each outlet. evse_no is the connector of OCPP 1.6 and the EVSE of 2.0.1; 0 is the charger itself.
create table charger_connector (
  customer_id uuid not null,
  charger_id uuid not null,
  evse_no integer not null,
  connector_no integer not null,
  state text not null,
  error text,
  info text,
  -- By the charger's clock, as far as it is believed.
  state_at timestamptz not null,
  primary key (customer_id, charger_id, evse_no, connector_no),
  foreign key (customer_id, charger_id) references charger
);
call scope_by_customer('charger_connector');

-- The series of an outlet in the readings: W, Wh of the register, % of the car's battery.
create table charger_signal (
  customer_id uuid not null,
  charger_id uuid not null,
  evse_no integer not null,
  kind text not null check (kind in ('power', 'energy', 'soc')),
  no integer not null unique default nextval(pg_get_serial_sequence('signal', 'no')),
  primary key (customer_id, charger_id, evse_no, kind),
  foreign key (customer_id, charger_id) references charger
);
call scope_by_customer('charger_signal');

create table charger_tag_group (
  customer_id uuid not null references customer,
  group_id uuid not null,
  -- Chargers know a group as 'G' and this number: a tag of its own, which a name could not be.
  no integer generated always as identity unique,
  name text not null,
  active boolean not null,
  created_at timestamptz not null,
  primary key (customer_id, group_id)
);
create unique index charger_tag_group_name on charger_tag_group (customer_id, lower(name));
call scope_by_customer('charger_tag_group');

create table charger_tag (
  customer_id uuid not null references customer,
  tag_id uuid not null,
  -- Trimmed and in upper case, since chargers differ in both.
  tag text not null check (tag = upper(btrim(tag)) and length(tag) between 1 and 36),
  name text not null,
  active boolean not null,
  group_id uuid,
  expires_at timestamptz,
  created_at timestamptz not null,
  primary key (customer_id, tag_id),
  unique (customer_id, tag),
  foreign key (customer_id, group_id) references charger_tag_group on delete set null (group_id)
);
create index charger_tag_of_group on charger_tag (customer_id, group_id);
call scope_by_customer('charger_tag');

-- What a person or a rule asked of a charger: committed before it is sent, sent once, closed by the charger's own word.
create table charger_command (
  customer_id uuid not null,
  command_id uuid not null,
  -- A 2.0.1 charger names the start that it began with by this number.
  no integer generated always as identity unique,
  charger_id uuid not null,
  evse_no integer not null,
  action text not null check (action in ('start', 'stop')),
  transaction_id uuid,
  user_id uuid not null,
  state text not null check (state in ('queued', 'sent', 'accepted', 'rejected', 'timeout', 'offline', 'socket-lost', 'failed')),
  is_open boolean not null default true,
  answer text,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  sent_at timestamptz,
  answered_at timestamptz,
  late_answer text,
  primary key (customer_id, command_id),
  foreign key (customer_id, charger_id) references charger,
  check (is_open = (state in ('queued', 'sent')))
);
create unique index charger_command_open on charger_command (customer_id, charger_id, evse_no) where is_open;
create index charger_command_newest on charger_command (customer_id, charger_id, issued_at desc);
call scope_by_customer('charger_command');

create trigger tell_charger_command after insert on charger_command for each row execute function tell_change('charger-command', 'command_id');
create trigger tell_charger_answer after update of is_open on charger_command for each row
  when (old.is_open and not new.is_open) execute function tell_change('charger-answer', 'command_id');

create table charger_transaction (
  customer_id uuid not null,
  transaction_id uuid not null,
  -- The id that OCPP 1.6 chargers get: of one sequence for all of them, never used again.
  no integer generated always as identity unique,
  -- The id that a 2.0.1 charger made.
  ocpp_id text,
  charger_id uuid not null,
  evse_no integer,
  connector_no integer,
  tag text,
  tag_id uuid,
  mode text not null check (mode in ('tag', 'remote', 'adhoc')),
  state text not null check (state in ('starting', 'active', 'ended', 'abandoned', 'orphan')),
  charging_state text,
  -- The tag was refused. A charger that charges all the same is told no other way.
  refused boolean not null default false,
  -- The energy or the end is not what the charger said, but what its last reading says.
  estimated boolean not null default false,
  started_at timestamptz not null,
  -- False while only later messages have come.
  start_seen boolean not null default true,
  ended_at timestamptz,
  meter_start_wh numeric(14, 3),
  meter_stop_wh numeric(14, 3),
  consumption_wh numeric(14, 3) check (consumption_wh >= 0),
  reason text,
  command_id uuid,
  primary key (customer_id, transaction_id),
  foreign key (customer_id, charger_id) references charger,
  foreign key (customer_id, tag_id) references charger_tag on delete set null (tag_id),
  foreign key (customer_id, command_id) references charger_command
);
create unique index charger_transaction_ocpp on charger_transaction (customer_id, charger_id, ocpp_id) where ocpp_id is not null;
create index charger_transaction_open on charger_transaction (customer_id, charger_id, evse_no) where state in ('starting', 'active');
create index charger_transaction_newest on charger_transaction (customer_id, started_at desc, transaction_id desc);
create index charger_transaction_of_charger on charger_transaction (customer_id, charger_id, started_at desc);
create index charger_transaction_of_tag on charger_transaction (customer_id, tag_id, started_at desc);
call scope_by_customer('charger_transaction');

-- Each message about a transaction, once, by what it says: chargers send one again with its old message id or with a new one, and get the
-- answer that is here, byte for byte.
create table charger_message (
  customer_id uuid not null,
  charger_id uuid not null,
  natural_key text not null,
  transaction_id uuid,
  message_id text not null,
  generation integer not null,
  said_at text,
  received_at timestamptz not null,
  effective_at timestamptz not null,
  -- It came after the transaction had ended, and changed nothing.
  late boolean not null default false,
  answer text not null,
  primary key (customer_id, charger_id, natural_key),
  foreign key (customer_id, charger_id) references charger
);
call scope_by_customer('charger_message');

-- Readings of the energy register, which consumption is counted from where a charger does not say it.
create table charger_register (
  customer_id uuid not null,
  charger_id uuid not null,
  evse_no integer not null,
  at timestamptz not null,
  context text not null,
  wh numeric(14, 3) not null,
  primary key (customer_id, charger_id, evse_no, at, context),
  foreign key (customer_id, charger_id) references charger
);
call scope_by_customer('charger_register');

-- The newest frames of each charger, as they went over the wire: a ring.
create table charger_frame (
  customer_id uuid not null,
  charger_id uuid not null,
  slot integer not null,
  no bigint not null,
  at timestamptz not null,
  direction text not null check (direction in ('in', 'out')),
  frame text not null,
  primary key (customer_id, charger_id, slot),
  foreign key (customer_id, charger_id) references charger
);
call scope_by_customer('charger_frame');

-- Where a charger does not keep to the protocol, and how often.
create table charger_deviation (
  customer_id uuid not null,
  charger_id uuid not null,
  deviation text not null,
  count integer not null,
  last_at timestamptz not null,
  primary key (customer_id, charger_id, deviation),
  foreign key (customer_id, charger_id) references charger
);
call scope_by_customer('charger_deviation');

-- Chargers that knock at the address of a customer and that nobody has registered.
create table charger_unknown (
  customer_id uuid not null references customer,
  identity text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  tries integer not null,
  primary key (customer_id, identity)
);
call scope_by_customer('charger_unknown');
