-- What was asked of a charger may hold what opens it (security rule D2): it is kept only until the charger has it.
alter table charger_command drop constraint charger_command_asked;
-- The tables' owner sees no rows of customers by itself.
set local role gridmast_system;
update charger_command set asked = null where not is_open;
delete from charger_frame where frame ~* 'AuthorizationKey|Password|Secret' or frame like '%//%@%';
reset role;
alter table charger_command
  add constraint charger_command_asked check (case when action in ('start', 'stop') or not is_open then asked is null else asked is not null end);
