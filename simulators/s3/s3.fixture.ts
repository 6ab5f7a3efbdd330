import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FaultInput } from './faults.ts'
import { openS3 } from './server.ts'

/** The look-alike on a port of its own, with the bucket `backups` in a temporary folder. */
export const serveS3 = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gridmast-s3-'))
  const bucket = join(folder, 'backups')
  mkdirSync(bucket)
  let server = openS3({ folder, accessKey: 'gridmast', secretKey: 'storage-secret' })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on TCP
  const endpoint = `http://127.0.0.1:${port}`
  return {
    endpoint,
    bucket,
    settings: {
      BACKUP_S3_ENDPOINT: endpoint,
      BACKUP_S3_REGION: 'eu-north-1',
      BACKUP_S3_ACCESS_KEY: 'gridmast',
      BACKUP_S3_SECRET_KEY: 'storage-secret',
    },
    fault: (fault: FaultInput) => fetch(`${endpoint}/_faults`, { method: 'POST', body: JSON.stringify(fault) }),
    clearFaults: () => fetch(`${endpoint}/_faults`, { method: 'DELETE' }),
    objects: () =>
      readdirSync(bucket, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => decodeURIComponent(name))
        .toSorted(),
    unfinished: () => {
      try {
        return readdirSync(join(bucket, '.uploads'))
      } catch {
        return []
      }
    },
    /** Stored parts of unfinished uploads. */
    parts: () =>
      readdirSync(bucket, { withFileTypes: true, recursive: true }).filter(
        (entry) => entry.isFile() && entry.parentPath.includes('.uploads'),
      ).length,
    /** On the same port and folder, after it died. */
    restart: async () => {
      server = openS3({ folder, accessKey: 'gridmast', secretKey: 'storage-secret' })
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    close: () => {
      server.closeAllConnections()
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
