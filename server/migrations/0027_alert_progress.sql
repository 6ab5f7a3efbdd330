-- One row for each process that takes samples from a broker, as in event_progress: what one has looked at says nothing of another's samples.
alter table alert_progress rename to alert_progress_of_all;
create table alert_progress (
  client text primary key,
  version bigint not null
);
grant select, insert, update on alert_progress to gridmast_system;
insert into alert_progress select e.client, least(e.version, a.version) from event_progress e, alert_progress_of_all a;
drop table alert_progress_of_all;
