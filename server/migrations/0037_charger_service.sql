-- What is asked of chargers beside starts and stops, the settings that they told, how far a firmware or diagnostics are, and which were
-- registered in the portal.

alter table charger
  add column registered_by uuid,
  add column firmware_status text,
  add column firmware_status_at timestamptz,
  add column diagnostics_status text,
  add column diagnostics_status_at timestamptz,
  add column configuration_read_at timestamptz;

alter table charger_command drop constraint charger_command_action_check;
alter table charger_command
  -- Everything but a start and a stop, which are made of their columns, in the words of the protocol room.
  add column asked jsonb,
  add constraint charger_command_asked check ((action in ('start', 'stop')) = (asked is null));

-- What a charger is set to, as it was last read from it.
create table charger_variable (
  customer_id uuid not null,
  charger_id uuid not null,
  -- Empty in OCPP 1.6, where a key stands by itself.
  component text not null,
  variable text not null,
  value text,
  read_only boolean not null,
  read_at timestamptz not null,
  primary key (customer_id, charger_id, component, variable),
  foreign key (customer_id, charger_id) references charger
);
call scope_by_customer('charger_variable');
