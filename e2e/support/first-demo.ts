import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FullConfig } from '@playwright/test'
import { startDemo } from './demo.ts'

/**
 * Fills the store of a demo once, and the demo of each worker starts with a copy: importing the history needs a whole processor, also after
 * every failure. A single worker fills its own.
 */
export default async ({ workers }: FullConfig) => {
  if (process.env['GALLERY_URL'] || workers === 1) return
  const folder = await mkdtemp(join(tmpdir(), 'gridmast-first-demo-'))
  const dataDir = join(folder, 'data')
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const demo = await startDemo(dataDir)
    await demo.whole
    await demo.stop()
  } catch (error) {
    await remove()
    throw error
  }
  process.env['E2E_FIRST_DEMO'] = dataDir
  return remove
}
