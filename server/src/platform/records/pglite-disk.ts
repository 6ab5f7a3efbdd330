import fs from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** The engine's file layer, which its declarations omit. */
type FileLayer = {
  FS: { isDir: (mode: number) => boolean }
  NODEFS: {
    /** Converts an error of Node.js to one of the engine. */
    tryFSOperation: (operation: () => void) => void
    stream_ops: { fsync?: (stream: { nfd: number; node: { mode: number } }) => number }
  }
}

/** PGlite's folder with fsync, which PGlite omits: without it PostgreSQL treats its log as durable when it is not. */
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

// 16 MB of buffers instead of 128 save 150 MB of memory (measured); one connection and small tables need no more. The
// file layer has fsync only, and -F would disable it.
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
