import fs from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** What the engine's file layer is made of; its own declarations leave it out. */
type FileLayer = {
  FS: { isDir: (mode: number) => boolean }
  NODEFS: {
    /** Turns an error of Node.js into one that the engine understands. */
    tryFSOperation: (operation: () => void) => void
    stream_ops: { fsync?: (stream: { nfd: number; node: { mode: number } }) => number }
  }
}

/** A folder on disk as PGlite has it, with the fsync that it leaves out: without, PostgreSQL believes its log to be on disk and it is not. */
export class DurableFolder extends NodeFS {
  override async init(pglite: PGlite, options: Parameters<NodeFS['init']>[1]) {
    const { emscriptenOpts } = await super.init(pglite, options)
    const addFsync = (layer: unknown) => {
      const { FS, NODEFS } = layer as FileLayer
      NODEFS.stream_ops.fsync = ({ nfd, node }) => {
        NODEFS.tryFSOperation(() => (FS.isDir(node.mode) ? fs.fsyncSync(nfd) : fs.fdatasyncSync(nfd)))
        return 0
      }
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addFsync] } }
  }
}

// One connection and small tables: 16 MB of buffers instead of 128 save 150 MB of the process (measured) and cost nothing noticed.
// The method of fsync is the one that the file layer has; -F would leave it out.
const settings = [
  'shared_buffers=16MB',
  'max_connections=10',
  'wal_sync_method=fsync',
  'min_wal_size=32MB',
  'max_wal_size=64MB',
]
export const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...settings.flatMap((setting) => ['-c', setting]),
]
