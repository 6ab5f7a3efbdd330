-- After a change of INGEST_PARTITIONS the progress of the earlier partitions is copied to the new ones and deleted.
grant delete on alert_progress, event_progress to gridmast_system;
