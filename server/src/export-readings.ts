import { auditExport } from '#access/audit-export.ts'
import type { Viewer } from '#access/viewer.ts'
import { readingsFile, type FileOfReadings } from '#readings/file.ts'
import type { App } from './app.ts'

/** A file of readings for a viewer. On the audit trail once it is sure to leave: a span that fits no sheet is refused before. */
export const exportReadings = async (
  { app, viewer, requestId }: { app: App; viewer: Viewer; requestId: string },
  wanted: FileOfReadings,
) => {
  const file = await readingsFile(app.readings, wanted)
  await auditExport(app, viewer, requestId, wanted.fileName)
  return file
}
